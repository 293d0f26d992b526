import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Home } from '../setup/home.ts';

/** Validators of a form's schema by the names of its definitions, as strict as Ajv can be about the schema itself. */
export interface Validators {
  expectFits(name: string, value: unknown): void;
  fits(name: string, value: unknown): boolean;
}

export function validatorsOf(schema: object): Validators {
  // Members count only if they are own ones: `constructor` may be the id of a field or the name of a row.
  const ajv = new Ajv2020({ strict: true, allErrors: true, ownProperties: true });
  ajv.addSchema(schema, 'form');
  const validatorOf = (name: string): ValidateFunction => {
    const validator = ajv.getSchema(name === '' ? 'form' : `form#/$defs/${name}`);
    if (!validator) throw new Error(`The schema has no ${name}.`);
    return validator;
  };
  return {
    fits: (name, value) => validatorOf(name)(value) as boolean,
    expectFits(name, value) {
      const validate = validatorOf(name);
      const text = JSON.stringify(value).slice(0, 1000);
      expect(validate(value), `${ajv.errorsText(validate.errors)} in ${text}`).toBe(true);
    },
  };
}

export async function readSchema(home: Home, form: { id: number }): Promise<any> {
  const answer = await home.call('GET', `/open/forms/${form.id}/answer-schema`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export async function readTypes(home: Home, form: { id: number }): Promise<string> {
  const answer = await home.call('GET', `/open/forms/${form.id}/answer-schema?format=typescript`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  return answer.text;
}
