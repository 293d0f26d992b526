import { isOn } from '../../../fields/block-options/options.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { gathering } from '../../db/gathering.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { type FormMoment, formMoments } from '../../submissions/published-form/queries.ts';

/** A form with its present state. */
export interface VisitedForm {
  form: PublishedForm;
  isClosed: boolean;
  /** The form has as many submissions as it accepts. */
  isFull: boolean;
  placesLeft: PlacesLeft;
}

/** Places left, by field id and name of the option; only for options that are full or whose page shows the number. */
export type PlacesLeft = ReadonlyMap<string, ReadonlyMap<string, number>>;

export const NO_LIMITS: PlacesLeft = new Map();

/** Attempts to read a form that keeps changing; after that the version of a moment ago is shown. */
const MAX_LOOKS = 3;
/** Most visitors whose forms are looked up in one query. */
const MAX_ASKED = 1_000;

/** Finds forms by slug or UUID; null for unknown and draft forms. */
type FindVisitedForm = (ref: string) => Promise<VisitedForm | null>;

/** The form comes from the cache, but each time the database is asked whether it is still current. */
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

/** Leaves out numbers that the page does not show, so that the page stays the same until an option is full. */
function placesOf({ placesLeft }: FormMoment, { properties }: PublishedForm): PlacesLeft {
  if (placesLeft === null) return NO_LIMITS;
  const telling = new Set(properties.flatMap(({ id, shows_places_left: shows }) => (isOn(shows) ? id : [])));
  const told = placesLeft.filter(([field, , left]) => left === 0 || telling.has(field));
  const byField = Map.groupBy(told, ([field]) => field);
  const leftOf = (rows: [string, string, number][]) =>
    new Map(rows.map(([, option, left]) => [option, left]));
  return new Map([...byField].map(([field, rows]) => [field, leftOf(rows)]));
}

/** Combines the questions of many visitors into one query. */
function createMoments(db: Db): (formId: number) => Promise<FormMoment | undefined> {
  return gathering(MAX_ASKED, async (ids: number[]) => {
    const moments = await formMoments(db, [...new Set(ids)]);
    const byId = new Map(moments.map((moment) => [moment.formId, moment]));
    return ids.map((id) => byId.get(id));
  });
}
