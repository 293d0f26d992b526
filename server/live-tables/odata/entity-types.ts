import type { JsonValue } from '../../../fields/property.ts';
import type { AnswerKind } from '../../submissions/lists/filter.ts';
import type { ReviewState } from '../../submissions/reviews/states.ts';

export type EdmType =
  | 'Edm.Boolean'
  | 'Edm.Date'
  | 'Edm.DateTimeOffset'
  | 'Edm.Double'
  | 'Edm.Int32'
  | 'Edm.Int64'
  | 'Edm.String';

/** What a filter compares: the number of the submission or entry, a time, a state, or an answer. */
export type Compared =
  | { by: 'id' | 'position' | 'created_at' | 'updated_at' | 'status' | 'review_state' }
  | { by: 'answer'; id: string; kind: AnswerKind };

export interface EntityProperty {
  name: string;
  type: EdmType;
  /** The question as the form asks it; null for what the service says itself. */
  question: string | null;
  /** null when filters cannot compare it. */
  comparedAs: Compared | null;
}

/** A submission, or an entry of one, as it is read. */
export interface EntityRow {
  id: number;
  /** Of the entry in its submission, from 1; 0 for submissions. */
  position: number;
  created_at: Date;
  updated_at: Date;
  status: 'completed' | 'partial';
  review_state: ReviewState;
  /** The answers of the submission or the entry. */
  data: { [id: string]: JsonValue };
  /** Time of the submission to the microsecond, as text: where the next page begins. */
  moment: string;
}

/** The submissions of a form, or the entries of a repeated question of theirs. */
export interface EntitySet {
  name: string;
  /** Name of the type of its entities. */
  typeName: string;
  /** Names of the properties that tell entities apart; the first one is the number of the submission. */
  keys: readonly string[];
  properties: readonly EntityProperty[];
  /** Id of the repeated question; null for submissions. */
  entriesOf: string | null;
  /** A value for each property. @param urlOf the link to a file, by the name that an answer has for it */
  valuesOf(row: EntityRow, urlOf: (name: string) => string): JsonValue[];
}
