/** The parts of an OpenAPI 3.1 document that this service writes. */
export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  components?: { responses?: Record<string, ApiResponse>; [kind: string]: unknown };
  paths: Record<string, Record<string, Operation>>;
  /** Requests that the service sends. */
  webhooks?: Record<string, Record<string, Operation>>;
  [member: string]: unknown;
}

export interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema }> };
  responses: Record<string, ApiResponse | { $ref: string }>;
  'x-required-ability'?: string;
  'x-required-role'?: string;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  style?: string;
  explode?: boolean;
}

export interface ApiResponse {
  description: string;
  content?: Record<string, { schema?: Schema }>;
}

/** JSON Schema 2020-12, as far as the routes use it. */
export interface Schema {
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  [keyword: string]: unknown;
}

const PARAMETER_MEANINGS: Record<string, string> = {
  form: 'Number, slug or UUID of the form.',
  workspaceId: 'Number of the workspace.',
  userId: 'Number of the user.',
  integrationId: 'Number of the integration.',
  submissionId: 'Number or UUID of the submission.',
  inviteId: 'Number of the invite.',
  deliveryId: 'Number of the delivery.',
  jobId: 'Name of the export job.',
  tokenId: 'Number of the access token.',
};

const STATUS_MEANINGS: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; the response is empty.',
};
/** The description that @fastify/swagger writes where a route has none. */
const NO_DESCRIPTION = 'Default Response';

const MESSAGE: Schema = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
};
const ERRORS: Schema = {
  type: 'object',
  required: ['message', 'errors'],
  properties: {
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
};

/** The answers that any route of a kind can give, so that no route has to repeat them. */
const ERROR_RESPONSES: Record<string, ApiResponse> = {
  400: problem('The address is malformed, or the body is no JSON, empty or not UTF-8.', MESSAGE),
  401: problem('The request has no valid token or session.', MESSAGE),
  403: problem('The token lacks the ability, or its owner the role.', MESSAGE),
  404: problem('The resource named in the path does not exist.', MESSAGE),
  409: problem('Somebody else has changed the resource meanwhile.', MESSAGE),
  413: problem('The body is too large.', MESSAGE),
  415: problem(
    'The body has an unexpected content type, another encoding than UTF-8, or a Content-Encoding.',
    MESSAGE,
  ),
  422: problem('The request is invalid; every problem is named.', ERRORS),
  429: problem('Too many requests; Retry-After says how many seconds to wait.', MESSAGE),
  503: problem(
    'A part of the service, mostly the database, is unavailable; Retry-After says how many seconds to wait.',
    MESSAGE,
  ),
};
/** Routes that do not need the database. */
const ALONE = ['/livez', '/metrics'];

/** Adds what follows from a route's path and access: operation ids, meanings of parameters, error answers. */
export function completeOperations(document: ApiDocument): ApiDocument {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) completeOperation(path, method, operation);
  }
  document.components = { ...document.components, responses: ERROR_RESPONSES };
  return document;
}

function completeOperation(path: string, method: string, operation: Operation): void {
  operation.operationId ??= operationId(method, path);
  for (const parameter of operation.parameters ?? []) {
    const meaning = PARAMETER_MEANINGS[parameter.name];
    if (parameter.in === 'path' && meaning !== undefined) parameter.description ??= meaning;
    // The schema calls it required, as the route always sees it; clients may leave it out.
    if (parameter.schema?.default !== undefined) parameter.required = false;
    // Clients write it as `filter[name]=value`.
    if (parameter.in === 'query' && parameter.schema?.type === 'object')
      Object.assign(parameter, { style: 'deepObject', explode: true });
  }
  const { requestBody } = operation;
  // Where null is accepted as body, none is needed.
  if (requestBody?.content?.['application/json']?.schema?.anyOf?.some(({ type }) => type === 'null'))
    requestBody.required = false;
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!('description' in response) || response.description !== NO_DESCRIPTION) continue;
    if (status in ERROR_RESPONSES) operation.responses[status] = shared(status);
    else response.description = STATUS_MEANINGS[status] ?? 'Answer.';
  }
  for (const status of errorStatuses(path, method, operation)) operation.responses[status] ??= shared(status);
}

function shared(status: string): { $ref: string } {
  return { $ref: `#/components/responses/${status}` };
}

function errorStatuses(
  path: string,
  method: string,
  { security = [], parameters = [], requestBody }: Operation,
): string[] {
  // Bodies are checked even where a route needs none.
  const mayHaveBody = method !== 'get' && method !== 'head';
  // Below a form, because it may be moved to another workspace meanwhile.
  const mayCollide = requestBody !== undefined || (mayHaveBody && path.startsWith('/open/forms/{form}'));
  const isJudged = parameters.some((one) => one.in === 'query' || one.schema?.enum !== undefined);
  return [
    ...(security.length > 0 ? ['401', '403'] : []),
    ...(path.includes('{') ? ['400', '404'] : []),
    ...(mayCollide ? ['409'] : []),
    ...(mayHaveBody ? ['400', '413', '415'] : []),
    ...(mayHaveBody || isJudged ? ['422'] : []),
    '429',
    ...(ALONE.includes(path) ? [] : ['503']),
  ];
}

/** `get /open/forms/{form}` → `getOpenFormsByForm`. */
function operationId(method: string, path: string): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .flatMap((part) => (part.startsWith('{') ? ['by', part.slice(1, -1)] : part.split(/[^A-Za-z0-9]+/)));
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function problem(description: string, schema: Schema): ApiResponse {
  return { description, content: { 'application/json': { schema } } };
}
