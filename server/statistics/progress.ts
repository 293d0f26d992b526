import { fieldTypeOf } from '../../fields/field-types.ts';
import { stepsOf } from '../../fields/logic/steps.ts';
import type { Context } from '../context.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { logTime } from './typical-time.ts';

/** Progress of a visit since its last report; absent members have no news. */
interface Progress {
  /** The first answer was given. */
  started?: boolean;
  /** Indexes of steps shown for the first time, except the first page: that one is a view. */
  steps?: number[];
  /** Ids of fields answered for the first time. */
  fields?: string[];
  /** Index of the step that was left without sending the form, or null. */
  left?: number | null;
  /** Milliseconds spent on each field, by id; sent once, by visits that sent the form. */
  times?: Readonly<Record<string, number>>;
}

/**
 * Counts progress. Steps and fields that the form does not have are ignored: it may have changed since the page was
 * opened.
 */
export function countProgress(
  { visits }: Pick<Context, 'visits'>,
  form: PublishedForm,
  { started = false, steps = [], fields = [], left = null, times = {} }: Progress,
): void {
  const { count, inputs } = shapeOf(form);
  if (started) visits.add(form.id, 'start', '');
  for (const step of new Set(steps)) if (step > 0 && step < count) visits.add(form.id, 'step', String(step));
  for (const id of new Set(fields)) if (inputs.has(id)) visits.add(form.id, 'field', id);
  if (left !== null && left < count) visits.add(form.id, 'left', String(left));
  for (const [id, time] of Object.entries(times)) {
    if (!inputs.has(id)) continue;
    visits.add(form.id, 'timed', id);
    visits.add(form.id, 'log_time', id, logTime(time));
  }
}

export function hasStep(form: PublishedForm, step: number): boolean {
  return step < shapeOf(form).count;
}

interface Shape {
  /** Number of steps. */
  count: number;
  /** Ids of fields. */
  inputs: ReadonlySet<string>;
}

const shapes = new WeakMap<PublishedForm, Shape>();

/** Calculated once per revision. */
function shapeOf(form: PublishedForm): Shape {
  const known = shapes.get(form);
  if (known) return known;
  const inputs = form.properties.filter(({ type }) => fieldTypeOf(type).kind === 'input');
  const shape = {
    count: stepsOf(form.properties, form.presentation.presentation_style).length,
    inputs: new Set(inputs.map(({ id }) => id)),
  };
  shapes.set(form, shape);
  return shape;
}
