import Type, { type Static } from 'typebox';
import type { Answers } from '../../fields/property.ts';
import { FormParam, FormParams } from '../access/path-params.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';

/** Scenarios of one form. */
export const MAX_SCENARIOS = 50;
/** Characters of the answers, and of what is expected, as JSON. */
export const MAX_ANSWERS = 100_000;
export const MAX_EXPECTED = 100_000;
/** Characters of the answers and expectations of all scenarios of a form, as JSON: they are read together. */
export const MAX_ALL = 1_000_000;
/** Differences that are told of one scenario. */
export const MAX_DIFFERENCES = 100;
const MAX_NAME = 100;
/** Characters of the id of a block, calculation or ending. */
const MAX_ID = 64;
/** Blocks, calculations or problems that one scenario names. */
const MAX_NAMED = 1_000;
/** Characters of the value of a calculation. */
const MAX_VALUE = 10_000;

/** Stands for the form's own thank-you text, as in lists of submissions. */
export const NO_ENDING = 'none';

const tags = ['Scenarios'];
const Moment = Type.String({ format: 'date-time' });
const Id = Type.String({ minLength: 1, maxLength: MAX_ID });
const Value = Type.Unsafe<string | number | null>({
  type: ['string', 'number', 'null'],
  maxLength: MAX_VALUE,
});
const Outcome = Type.Enum(['accepted', 'refused']);

function ids(description: string) {
  return Type.Array(Id, { maxItems: MAX_NAMED, uniqueItems: true, default: [], description });
}

const expected = {
  outcome: Outcome,
  errors: ids('Ids of the fields that have problems, all of them; only when refused. Empty: any.'),
  shown: ids('Ids of blocks that are shown.'),
  hidden: ids('Ids of blocks that are hidden.'),
  computed: Type.Unsafe<Record<string, string | number | null>>(
    Type.Record(Type.String({ minLength: 1, maxLength: MAX_ID }), Value, {
      maxProperties: MAX_NAMED,
      default: {},
      description: 'Values of calculations by their ids; null for none.',
    }),
  ),
  ending: Nullable(
    Type.String({
      pattern: '^[!-~]{1,64}$',
      description: `Id of the ending that is reached, \`${NO_ENDING}\` for the form's own text; null: any. Only when accepted.`,
    }),
  ),
};

/** What should come of the answers. */
const Expected = Type.Object(expected, { title: 'ScenarioExpectation' });
export type Expected = Static<typeof Expected>;

const { outcome, ...others } = expected;
const ExpectedBody = Type.Object(
  { outcome, ...Type.Partial(Type.Object(others)).properties },
  { additionalProperties: false, description: 'What is left out is not compared.' },
);
export type ExpectedBody = Static<typeof ExpectedBody>;

const AnswersOfScenario = Type.Unsafe<Answers>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'By id of the field, as `POST /forms/{slug}/answer` takes them.',
    },
  ),
);

const members = {
  name: RequiredText(MAX_NAME),
  answers: AnswersOfScenario,
  blocks_publishing: Type.Boolean({
    description: 'Whether the form cannot be published in a state that fails this scenario.',
  }),
};

/** A scenario in a file: its expectation is never what comes of it by chance. */
export const FileScenario = Type.Object(
  {
    name: members.name,
    answers: members.answers,
    expected: ExpectedBody,
    blocks_publishing: Type.Optional(members.blocks_publishing),
  },
  { additionalProperties: false },
);

const ScenarioSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    answers: AnswersOfScenario,
    expected: Expected,
    blocks_publishing: members.blocks_publishing,
    created_at: Moment,
    created_by: Nullable(Type.String({ description: 'Name of its creator; null when the account is gone.' })),
    updated_at: Moment,
  },
  { title: 'Scenario' },
);
export type Scenario = Static<typeof ScenarioSchema>;

const Difference = Type.Object(
  {
    about: Type.Enum(['outcome', 'errors', 'shown', 'hidden', 'computed', 'ending']),
    id: Nullable(Type.String({ description: 'Of the block, calculation or ending that it is about.' })),
    message: Type.String(),
  },
  { title: 'ScenarioDifference' },
);
export type Difference = Static<typeof Difference>;

const Observed = Type.Object(
  {
    outcome: Outcome,
    errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Messages by id of the field; empty when accepted.',
    }),
    shown: Type.Array(Type.String(), { description: 'Blocks with conditions that are shown.' }),
    hidden: Type.Array(Type.String(), { description: 'Blocks with conditions that are hidden.' }),
    computed: Type.Record(Type.String(), Value),
    ending: Nullable(
      Type.String({ description: `Id, or \`${NO_ENDING}\` for the form's own text; null when refused.` }),
    ),
  },
  { title: 'ScenarioObservation', description: 'What came of the answers.' },
);
export type Observed = Static<typeof Observed>;

const Result = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    blocks_publishing: Type.Boolean(),
    passed: Type.Boolean(),
    differences: Type.Array(Difference, { description: `Empty when it passed; at most ${MAX_DIFFERENCES}.` }),
    unknown_answers: Type.Array(Type.String(), {
      description: 'Keys among its answers that are no field of the form. They do not count.',
    }),
    observed: Observed,
  },
  { title: 'ScenarioResult' },
);
export type Result = Static<typeof Result>;

const Against = Type.Enum(['draft', 'published']);

const Run = Type.Object(
  {
    against: Type.Enum(['draft', 'published'], {
      description: '`published` also when the draft was asked for but there is none.',
    }),
    passed: Type.Boolean({ description: 'Whether all did.' }),
    results: Type.Array(Result),
  },
  { title: 'ScenarioRun' },
);
export type Run = Static<typeof Run>;

const Saved = Type.Object({ ...Success.properties, scenario: ScenarioSchema });
const ScenarioParams = Type.Object({ form: FormParam, scenarioId: Type.String() });

export const listSchema = {
  tags,
  summary: 'List the scenarios of a form',
  description: 'Oldest first.',
  params: FormParams,
  response: { 200: Type.Array(ScenarioSchema) },
};

export const createSchema = {
  tags,
  summary: 'Save a scenario',
  description:
    'Saves answers and what should come of them. Without `expected`, it expects what comes of them now: in the draft, or ' +
    `without one in the published form. A form has at most ${MAX_SCENARIOS}.`,
  params: FormParams,
  body: Type.Object({
    name: members.name,
    answers: members.answers,
    expected: Type.Optional(ExpectedBody),
    blocks_publishing: Type.Optional(members.blocks_publishing),
  }),
  response: { 200: Saved },
};

export const updateSchema = {
  tags,
  summary: 'Change a scenario',
  description: 'Members left out stay as they are; `answers` and `expected` replace the whole former ones.',
  params: ScenarioParams,
  body: Type.Partial(
    Type.Object({
      name: members.name,
      answers: members.answers,
      expected: ExpectedBody,
      blocks_publishing: members.blocks_publishing,
    }),
  ),
  response: { 200: Saved },
};

export const deleteSchema = {
  tags,
  summary: 'Delete a scenario',
  params: ScenarioParams,
  response: { 200: Success },
};

export const runSchema = {
  tags,
  summary: 'Run the scenarios of a form',
  description:
    'Judges the answers of each as the page of the form does, and compares what comes of them with what is expected. Nothing is ' +
    'stored, sent or counted. The form counts as open and without submissions; captchas, passwords and personal links do not ' +
    'matter. Parts of a draft that could not be published are left out.',
  params: FormParams,
  body: Nullable(
    Type.Object({
      against: Type.Optional(Against),
      scenarios: Type.Optional(
        Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
          maxItems: MAX_SCENARIOS,
          description: 'Ids of those to run; all by default.',
        }),
      ),
    }),
  ),
  response: { 200: Run },
};
