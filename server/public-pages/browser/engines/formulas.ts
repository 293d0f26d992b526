import type { FieldEngines } from '../../../../fields/engines.ts';
import { readingWords } from '../../../../fields/formulas/reading-words.ts';
import { compileVariables as variablesCompiler } from '../../../../fields/formulas/variables.ts';

/** Needed only by forms with computed variables. */
export const compileVariables: FieldEngines['compileVariables'] = (variables, properties) =>
  readingWords(variablesCompiler(variables), properties);
