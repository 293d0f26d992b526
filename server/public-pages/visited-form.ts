import { isOn } from '../../fields/options.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { gathering } from '../db/gathering.ts';
import { type FormMoment, formMoments } from '../submissions/published-form-queries.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/** A form as it is at this moment. */
export interface VisitedForm {
  form: PublishedForm;
  isClosed: boolean;
  /** It has all the submissions it takes. */
  isFull: boolean;
  placesLeft: PlacesLeft;
}

/** By field id and name of the option: how many places are left, of options that are full or whose page tells it. */
export type PlacesLeft = ReadonlyMap<string, ReadonlyMap<string, number>>;

export const NO_LIMITS: PlacesLeft = new Map();

/** A form that changes faster than this many looks at it is shown as it was a moment ago. */
const MAX_LOOKS = 3;
/** Visitors whose forms one query asks for. */
const MAX_ASKED = 1_000;

/** Finds forms by slug or UUID; null for unknown and draft forms. */
export type FindVisitedForm = (ref: string) => Promise<VisitedForm | null>;

/** The form comes from the cache, but whether it is still that form is asked every time. */
export function createVisitedForms({ db, publishedForms }: Context): FindVisitedForm {
  const momentOf = createMoments(db);
  return async (ref) => {
    for (let look = 1; ; look++) {
      const form = await publishedForms.find(ref);
      const moment = form && (await momentOf(form.id));
      if (form && moment && (moment.revision === form.revision || look === MAX_LOOKS))
        return {
          form,
          isClosed: form.isClosed(new Date()),
          isFull: moment.isFull,
          placesLeft: placesOf(moment, form),
        };
      if (!form || look === MAX_LOOKS) return null;
      publishedForms.forget(form.id);
    }
  };
}

/** Numbers that the page does not tell are left out: it is the same whoever answers, until an option is full. */
function placesOf({ placesLeft }: FormMoment, { properties }: PublishedForm): PlacesLeft {
  if (placesLeft === null) return NO_LIMITS;
  const telling = new Set(properties.flatMap(({ id, shows_places_left: shows }) => (isOn(shows) ? id : [])));
  const told = placesLeft.filter(([field, , left]) => left === 0 || telling.has(field));
  const byField = Map.groupBy(told, ([field]) => field);
  const leftOf = (rows: [string, string, number][]) =>
    new Map(rows.map(([, option, left]) => [option, left]));
  return new Map([...byField].map(([field, rows]) => [field, leftOf(rows)]));
}

/** Many visitors cost one query. */
function createMoments(db: Db): (formId: number) => Promise<FormMoment | undefined> {
  return gathering(MAX_ASKED, async (ids: number[]) => {
    const moments = await formMoments(db, [...new Set(ids)]);
    const byId = new Map(moments.map((moment) => [moment.formId, moment]));
    return ids.map((id) => byId.get(id));
  });
}
