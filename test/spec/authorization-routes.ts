import { randomBytes } from 'node:crypto';
import type { Ability, MemberRole } from '../../server/access/abilities.ts';
import { KNOWN_KEY } from '../setup/stripe-server.ts';
import {
  aCode,
  FILES_FIELD_ID,
  MAIL_SERVER,
  OPTIONS_FIELD_ID,
  PASSWORD,
  type Person,
  type Place,
} from './authorization-world.ts';

/** The callers: the columns of the table. All but `nobody` and `unable` send a token with every ability. */
const COLUMNS = [
  /** No token, garbage, or a well-formed token that was never given out. */
  'nobody',
  /** The admin, with a token that has every ability but the one needed. */
  'unable',
  /** Somebody without a workspace. */
  'outsider',
  /** The admin of another workspace. */
  'neighbour',
  'readonly',
  'user',
  'admin',
] as const;
export type Column = (typeof COLUMNS)[number];

export interface RouteRow {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** The path as it is registered. */
  path: string;
  /** For a route that needs two abilities, both with a `+` between them. */
  needs: Ability | `${Ability}+${Ability}` | 'nothing' | 'session' | 'any-token';
  /** The lowest role that may call it in the named workspace; null where no workspace is named. */
  role: MemberRole | null;
  answers: Record<Column, number>;
  /** The status for every session; null: the same as for a token of that person. */
  session: number | null;
}

const TABLE = `
method path                                                                  needs                 role      nobody unable outsider neighbour readonly user admin session
GET    /                                                                     nothing               -         302    302    302      302       302      302  302   =
GET    /sign-in                                                              nothing               -         404    404    404      404       404      404  404   =
GET    /register                                                             nothing               -         404    404    404      404       404      404  404   =
GET    /password                                                             nothing               -         404    404    404      404       404      404  404   =
GET    /connect                                                              nothing               -         404    404    404      404       404      404  404   =
GET    /workspaces                                                           nothing               -         404    404    404      404       404      404  404   =
GET    /workspaces/*                                                         nothing               -         404    404    404      404       404      404  404   =
GET    /account                                                              nothing               -         404    404    404      404       404      404  404   =
GET    /account/*                                                            nothing               -         404    404    404      404       404      404  404   =
GET    /assets/dashboard/:file                                               nothing               -         404    404    404      404       404      404  404   =
GET    /.well-known/oauth-protected-resource                                 nothing               -         200    200    200      200       200      200  200   =
GET    /.well-known/oauth-protected-resource/mcp                             nothing               -         200    200    200      200       200      200  200   =
GET    /.well-known/oauth-authorization-server                               nothing               -         200    200    200      200       200      200  200   =
POST   /oauth/register                                                       nothing               -         201    201    201      201       201      201  201   =
GET    /oauth/authorize                                                      nothing               -         303    303    303      303       303      303  303   =
GET    /oauth/consent                                                        session               -         401    403    403      403       403      403  403   200
POST   /oauth/consent                                                        session               -         401    403    403      403       403      403  403   200
POST   /oauth/token                                                          nothing               -         200    200    200      200       200      200  200   =
POST   /oauth/revoke                                                         nothing               -         200    200    200      200       200      200  200   =
POST   /mcp                                                                  any-token             -         401    200    200      200       200      200  200   401
GET    /openapi.json                                                         nothing               -         200    200    200      200       200      200  200   =
GET    /api                                                                  nothing               -         200    200    200      200       200      200  200   =
GET    /livez                                                                nothing               -         200    200    200      200       200      200  200   =
GET    /readyz                                                               nothing               -         200    200    200      200       200      200  200   =
GET    /metrics                                                              nothing               -         200    200    200      200       200      200  200   =

GET    /registration                                                         nothing               -         200    200    200      200       200      200  200   =
POST   /register                                                             nothing               -         201    201    201      201       201      201  201   =
POST   /login                                                                nothing               -         200    200    200      200       200      200  200   =
POST   /login/second-factor                                                  nothing               -         200    200    200      200       200      200  200   =
POST   /password/link                                                        nothing               -         200    200    200      200       200      200  200   =
PUT    /password                                                             nothing               -         200    200    200      200       200      200  200   =
GET    /auth/oidc                                                                   nothing               -         302    302    302      302       302      302  302   =
GET    /auth/oidc/callback                                                          nothing               -         302    302    302      302       302      302  302   =
POST   /logout                                                               session               -         401    403    403      403       403      403  403   200
GET    /user                                                                 any-token             -         401    200    200      200       200      200  200   =
PUT    /user                                                                 session               -         401    403    403      403       403      403  403   200
DELETE /user                                                                 session               -         401    403    403      403       403      403  403   200
PUT    /user/password                                                        session               -         401    403    403      403       403      403  403   200
POST   /user/email                                                           session               -         401    403    403      403       403      403  403   200
PUT    /user/email                                                           session               -         401    403    403      403       403      403  403   200
GET    /settings/sessions                                                    session               -         401    403    403      403       403      403  403   200
DELETE /settings/sessions                                                    session               -         401    403    403      403       403      403  403   200
DELETE /settings/sessions/:sessionId                                         session               -         401    403    403      403       403      403  403   200
GET    /settings/second-factor                                               session               -         401    403    403      403       403      403  403   200
POST   /settings/second-factor                                               session               -         401    403    403      403       403      403  403   200
POST   /settings/second-factor/confirm                                       session               -         401    403    403      403       403      403  403   200
POST   /settings/second-factor/recovery-codes                                session               -         401    403    403      403       403      403  403   200
DELETE /settings/second-factor                                               session               -         401    403    403      403       403      403  403   200
GET    /settings/single-sign-on                                                     session               -         401    403    403      403       403      403  403   200
POST   /settings/single-sign-on                                                     session               -         401    403    403      403       403      403  403   200
DELETE /settings/single-sign-on                                                     session               -         401    403    403      403       403      403  403   200
GET    /settings/tokens                                                      session               -         401    403    403      403       403      403  403   200
POST   /settings/tokens                                                      session               -         401    403    403      403       403      403  403   200
DELETE /settings/tokens/:tokenId                                             session               -         401    403    403      403       403      403  403   200

GET    /open/workspaces                                                      workspaces-read       -         401    403    200      200       200      200  200   =
POST   /open/workspaces/create                                               workspaces-write      -         401    403    200      200       200      200  200   =
PUT    /open/workspaces/:workspaceId                                         workspaces-write      admin     401    403    403      403       403      403  200   =
PUT    /open/workspaces/:workspaceId/settings                                workspaces-write      admin     401    403    403      403       403      403  200   =
DELETE /open/workspaces/:workspaceId                                         workspaces-write      admin     401    403    403      403       403      403  200   =

GET    /open/workspaces/:workspaceId/users                                   workspace-users-read  readonly  401    403    403      403       200      200  200   =
POST   /open/workspaces/:workspaceId/users/add                               workspace-users-write admin     401    403    403      403       403      403  200   =
PUT    /open/workspaces/:workspaceId/users/:userId/update-role               workspace-users-write admin     401    403    403      403       403      403  200   =
DELETE /open/workspaces/:workspaceId/users/:userId/remove                    workspace-users-write admin     401    403    403      403       403      403  200   =
GET    /open/workspaces/:workspaceId/audit-log                               workspaces-write      admin     401    403    403      403       403      403  200   =
POST   /open/workspaces/:workspaceId/leave                                   workspace-users-write readonly  401    403    403      403       200      200  200   =
GET    /open/workspaces/:workspaceId/mail-server                             workspaces-write      admin     401    403    403      403       403      403  200   =
PUT    /open/workspaces/:workspaceId/mail-server                             workspaces-write      admin     401    403    403      403       403      403  200   =
DELETE /open/workspaces/:workspaceId/mail-server                             workspaces-write      admin     401    403    403      403       403      403  200   =
POST   /open/workspaces/:workspaceId/mail-server/test                        workspaces-write      admin     401    403    403      403       403      403  200   =
GET    /open/workspaces/:workspaceId/payments                                workspaces-write      admin     401    403    403      403       403      403  200   =
PUT    /open/workspaces/:workspaceId/payments                                workspaces-write      admin     401    403    403      403       403      403  200   =
DELETE /open/workspaces/:workspaceId/payments                                workspaces-write      admin     401    403    403      403       403      403  200   =
GET    /open/workspaces/:workspaceId/invites                                 workspaces-write      admin     401    403    403      403       403      403  200   =
POST   /open/workspaces/:workspaceId/invites/:inviteId/resend                workspace-users-write admin     401    403    403      403       403      403  200   =
DELETE /open/workspaces/:workspaceId/invites/:inviteId/cancel                workspace-users-write admin     401    403    403      403       403      403  200   =
POST   /invites/accept                                                       session               -         401    403    403      403       403      403  403   200

POST   /open/workspaces/:workspaceId/people/find                                    forms-read            admin     401    403    403      403       403      403  200   =
POST   /open/workspaces/:workspaceId/people/export                                  forms-read            admin     401    403    403      403       403      403  200   =
POST   /open/workspaces/:workspaceId/people/erase                                   forms-write           admin     401    403    403      403       403      403  200   =

GET    /open/workspaces/:workspaceId/pictures                                forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/workspaces/:workspaceId/pictures                                forms-write           user      401    403    403      403       403      201  201   =
DELETE /open/workspaces/:workspaceId/pictures/:picture                       forms-write           user      401    403    403      403       403      200  200   =
GET    /pictures/:picture                                                    nothing               -         200    200    200      200       200      200  200   =
GET    /open/workspaces/:workspaceId/forms                                   forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/workspaces/:workspaceId/tags                                    forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/workspaces/:workspaceId/statistics                              forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/workspaces/:workspaceId/summary-mails                           forms-read            readonly  401    403    403      403       200      200  200   =
PUT    /open/workspaces/:workspaceId/summary-mails                           workspaces-write      readonly  401    403    403      403       200      200  200   =
GET    /open/workspaces/:workspaceId/attention                               forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms                                                           forms-read            -         401    403    200      200       200      200  200   =
POST   /open/forms                                                           forms-write           user      401    403    403      403       403      201  201   =
GET    /open/forms/:form                                                     forms-read            readonly  401    403    403      403       200      200  200   =
PUT    /open/forms/:form                                                     forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form                                                     forms-write           user      401    403    403      403       403      204  204   =
POST   /open/forms/:form/duplicate                                           forms-write           user      401    403    403      403       403      200  200   =
PUT    /open/forms/:form/regenerate-link/:option                             forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/move                                                forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/trash                                               forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/trash                                               forms-write           user      401    403    403      403       403      200  200   =
PUT    /open/forms/:form/draft                                               forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/draft                                               forms-read            readonly  401    403    403      403       200      200  200   =
DELETE /open/forms/:form/draft                                               forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/draft/publish                                       forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/versions                                            forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/versions/:version                                   forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/forms/:form/versions/:version/restore                           forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/answer-schema                                       forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/forms/preview                                                   forms-write           user      401    403    403      403       403      201  201   =
POST   /open/forms/:form/preview                                             forms-write           user      401    403    403      403       403      201  201   =

GET    /forms/:form                                                          nothing               -         200    200    200      200       200      200  200   =
POST   /forms/:form/answer                                                   nothing               -         200    200    200      200       200      200  200   =
POST   /forms/:form/files                                                    nothing               -         201    201    201      201       201      201  201   =
POST   /forms/:form/uploads                                                  nothing               -         201    201    201      201       201      201  201   =
HEAD   /forms/:form/uploads/:upload                                          nothing               -         200    200    200      200       200      200  200   =
PATCH  /forms/:form/uploads/:upload                                          nothing               -         204    204    204      204       204      204  204   =
DELETE /forms/:form/uploads/:upload                                          nothing               -         204    204    204      204       204      204  204   =
POST   /forms/:form/progress                                                 nothing               -         204    204    204      204       204      204  204   =
GET    /embed.js                                                             nothing               -         200    200    200      200       200      200  200   =
GET    /worker.js                                                            nothing               -         200    200    200      200       200      200  200   =
GET    /forms/:form/captcha                                                  nothing               -         200    200    200      200       200      200  200   =
POST   /forms/:form                                                           nothing               -         200    200    200      200       200      200  200   =
GET    /forms/:form/thank-you                                                 nothing               -         404    404    404      404       404      404  404   =
POST   /forms/:form/unlock                                                    nothing               -         303    303    303      303       303      303  303   =
GET    /forms/:form/results                                                   nothing               -         404    404    404      404       404      404  404   =
GET    /forms/:form/receipt                                                   nothing               -         404    404    404      404       404      404  404   =
GET    /receipts                                                              nothing               -         200    200    200      200       200      200  200   =
POST   /receipts                                                              nothing               -         200    200    200      200       200      200  200   =
GET    /receipts/keys                                                         nothing               -         200    200    200      200       200      200  200   =
GET    /forms/:form/stop-mails                                                nothing               -         404    404    404      404       404      404  404   =
POST   /forms/:form/stop-mails                                                nothing               -         404    404    404      404       404      404  404   =
GET    /forms/:form/confirm                                                   nothing               -         404    404    404      404       404      404  404   =
POST   /forms/:form/confirm                                                   nothing               -         404    404    404      404       404      404  404   =
GET    /forms/:form/pay                                                       nothing               -         404    404    404      404       404      404  404   =
POST   /forms/:form/pay                                                       nothing               -         404    404    404      404       404      404  404   =
POST   /forms/:form/send-again                                                nothing               -         404    404    404      404       404      404  404   =
GET    /forms/:form/code                                                      nothing               -         404    404    404      404       404      404  404   =
GET    /forms/:form/code/:block                                               nothing               -         404    404    404      404       404      404  404   =
GET    /assets/:file                                                          nothing               -         404    404    404      404       404      404  404   =
GET    /forms/preview/:previewToken([\\w-]{43})                                     nothing               -         200    200    200      200       200      200  200   =
POST   /forms/preview/:previewToken([\\w-]{43})                                     nothing               -         200    200    200      200       200      200  200   =
GET    /forms/preview/:previewToken([\\w-]{43})/thank-you                           nothing               -         200    200    200      200       200      200  200   =
GET    /forms/preview/:previewToken([\\w-]{43})/captcha                             nothing               -         200    200    200      200       200      200  200   =
GET    /forms/preview/:previewToken([\\w-]{43})/code                                nothing               -         404    404    404      404       404      404  404   =
GET    /forms/preview/:previewToken([\\w-]{43})/code/:block                         nothing               -         404    404    404      404       404      404  404   =
POST   /forms/preview/:previewToken([\\w-]{43})/files                               nothing               -         201    201    201      201       201      201  201   =
POST   /forms/preview/:previewToken([\\w-]{43})/progress                            nothing               -         204    204    204      204       204      204  204   =
OPTIONS /forms/:form                                                         nothing               -         204    204    204      204       204      204  204   =
OPTIONS /forms/:form/answer                                                  nothing               -         204    204    204      204       204      204  204   =
OPTIONS /forms/:form/captcha                                                 nothing               -         204    204    204      204       204      204  204   =
OPTIONS /forms/:form/files                                                   nothing               -         204    204    204      204       204      204  204   =
OPTIONS /forms/:form/uploads                                                  nothing               -         204    204    204      204       204      204  204   =
OPTIONS /forms/:form/uploads/:upload                                          nothing               -         204    204    204      204       204      204  204   =

GET    /open/forms/:form/places                                              forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/endings                                             forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/statistics                                          forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/statistics/fields                                   forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/submissions                                         forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/submissions/events                                  forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/submissions/:submissionId                           forms-read            readonly  401    403    403      403       200      200  200   =
PUT    /open/forms/:form/submissions/:submissionId                           forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/submissions/:submissionId                           forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/submissions/multi                                   forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/submissions/trash                                   forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/forms/:form/submissions/trash                                   forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/submissions/trash/restore                           forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/submissions/trash                                   forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/submissions/set-aside                               forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/submissions/set-aside/:setAsideId                   forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/forms/:form/submissions/set-aside/:setAsideId/release           forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/submissions/import                                  forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/submissions/rename-option                           forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/submissions/reviews                                 forms-read            readonly  401    403    403      403       200      200  200   =
PUT    /open/forms/:form/submissions/reviews                                 forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/submissions/:submissionId/review                    forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/forms/:form/submissions/:submissionId/review                    forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/submissions/:submissionId/review/notes/:noteId      forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/submissions/:submissionId/webhook-body              forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/submissions/:submissionId/changes                   forms-read            readonly  401    403    403      403       200      200  200   =
DELETE /open/forms/:form/submissions/:submissionId/changes                   forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/submissions/export                                  forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/submissions/export/status/:jobId                    forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/submissions/file/:name                              nothing               -         404    404    404      404       404      404  404   =
GET    /exports/:token                                                       nothing               -         200    200    200      200       200      200  200   =
GET    /open/forms/:form/personal-links                                      forms-read            user      401    403    403      403       403      200  200   =
PUT    /open/forms/:form/personal-links                                      forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/recipients                                          forms-read            user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/recipients                                          forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/recipients/delete                                   forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/recipients/reopen                                   forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/recipients/correct                                  forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/recipients/mails                                    forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/recipients/mails                                    forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/saved-views                                         forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/forms/:form/saved-views                                         forms-write           user      401    403    403      403       403      200  200   =
PUT    /open/forms/:form/saved-views/:viewId                                 forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/saved-views/:viewId                                 forms-write           user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/scenarios                                           forms-read            readonly  401    403    403      403       200      200  200   =
POST   /open/forms/:form/scenarios                                           forms-write           user      401    403    403      403       403      200  200   =
PUT    /open/forms/:form/scenarios/:scenarioId                               forms-write           user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/scenarios/:scenarioId                               forms-write           user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/scenarios/run                                       forms-read            readonly  401    403    403      403       200      200  200   =
GET    /open/forms/:form/live-tables                                         forms-read            user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/live-tables                                         forms-write+forms-read user     401    403    403      403       403      200  200   =
DELETE /open/forms/:form/live-tables/:tableId                                forms-write           user      401    403    403      403       403      200  200   =
GET    /live-tables/:file                                                    nothing               -         404    404    404      404       404      404  404   =
GET    /live-tables/:token/odata                                             nothing               -         404    404    404      404       404      404  404   =
GET    /live-tables/:token/odata/                                            nothing               -         404    404    404      404       404      404  404   =
GET    /live-tables/:token/odata/$metadata                                   nothing               -         404    404    404      404       404      404  404   =
GET    /live-tables/:token/odata/:set                                        nothing               -         404    404    404      404       404      404  404   =
GET    /live-tables/:token/odata/:set/$count                                 nothing               -         404    404    404      404       404      404  404   =
GET    /live-tables/:token/odata/*                                           nothing               -         404    404    404      404       404      404  404   =

GET    /open/forms/:form/integrations                                        manage-integrations   user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/integrations                                        manage-integrations   user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/integrations/:integrationId                         manage-integrations   user      401    403    403      403       403      200  200   =
PUT    /open/forms/:form/integrations/:integrationId                         manage-integrations   user      401    403    403      403       403      200  200   =
DELETE /open/forms/:form/integrations/:integrationId                         manage-integrations   user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/integrations/:integrationId/events                  manage-integrations   user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/integrations/:integrationId/deliveries              manage-integrations   user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/integrations/:integrationId/deliveries/count        manage-integrations   user      401    403    403      403       403      200  200   =
GET    /open/forms/:form/integrations/:integrationId/deliveries/:deliveryId  manage-integrations   user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/integrations/:integrationId/deliveries/:deliveryId/replay manage-integrations user  401    403    403      403       403      200  200   =
POST   /open/forms/:form/integrations/:integrationId/deliveries/replay       manage-integrations   user      401    403    403      403       403      200  200   =
POST   /open/forms/:form/integrations/:integrationId/test                    manage-integrations   user      401    403    403      403       403      200  200   =

POST   /external/partner/webhook                                             manage-integrations   user      401    403    403      403       403      200  200   =
DELETE /external/partner/webhook                                             manage-integrations   user      401    403    403      403       403      200  200   =
GET    /external/partner/validate                                            any-token             -         401    200    200      200       200      200  200   =
GET    /external/partner/workspaces                                          workspaces-read       -         401    403    200      200       200      200  200   =
GET    /external/partner/forms                                               forms-read            readonly  401    403    403      403       200      200  200   =
GET    /external/partner/submissions/recent                                  manage-integrations   user      401    403    403      403       403      200  200   =
POST   /external/zapier/webhook                                              manage-integrations   user      401    403    403      403       403      200  200   =
DELETE /external/zapier/webhook                                              manage-integrations   user      401    403    403      403       403      200  200   =
GET    /external/zapier/validate                                             any-token             -         401    200    200      200       200      200  200   =
GET    /external/zapier/workspaces                                           workspaces-read       -         401    403    200      200       200      200  200   =
GET    /external/zapier/forms                                                forms-read            readonly  401    403    403      403       200      200  200   =
GET    /external/zapier/submissions/recent                                   manage-integrations   user      401    403    403      403       403      200  200   =
`;

type Body = (place: Place, caller: Person) => Record<string, unknown>;

const aNewAddress = () => `${randomBytes(8).toString('hex')}@example.com`;

const hook: Body = ({ form }) => ({ form_id: form, hookUrl: 'https://example.com/hook' });
const webhook: Body = () => ({
  integration_id: 'webhook',
  status: 'active',
  data: { webhook_url: 'https://example.com/hook' },
});

/** Bodies that are accepted from every caller who is let in. */
const BODIES: Record<string, Body> = {
  'POST /mcp': () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  'POST /oauth/register': () => ({ redirect_uris: ['https://assistant.example/back'] }),
  'POST /register': () => ({ name: 'Eve', email: aNewAddress(), password: PASSWORD }),
  'POST /login': (_place, { email }) => ({ email, password: PASSWORD }),
  'POST /password/link': (_place, { email }) => ({ email }),
  'PUT /user': () => ({ name: 'Ada L.' }),
  'DELETE /user': () => ({ current_password: PASSWORD }),
  'POST /user/email': () => ({ email: aNewAddress(), current_password: PASSWORD }),
  'PUT /user/password': () => ({ current_password: PASSWORD, password: PASSWORD }),
  'POST /settings/second-factor': () => ({ current_password: PASSWORD }),
  'POST /settings/second-factor/confirm': () => ({ code: aCode() }),
  'POST /settings/second-factor/recovery-codes': () => ({ current_password: PASSWORD, code: aCode() }),
  'DELETE /settings/second-factor': () => ({ current_password: PASSWORD, code: aCode() }),
  'POST /settings/single-sign-on': () => ({ current_password: PASSWORD }),
  'DELETE /settings/single-sign-on': () => ({ current_password: PASSWORD }),
  'POST /settings/tokens': () => ({ name: 'Another', abilities: ['forms-read'] }),
  'POST /open/workspaces/create': () => ({ name: 'Second' }),
  'PUT /open/workspaces/:workspaceId': () => ({ name: 'Renamed' }),
  'POST /open/workspaces/:workspaceId/users/add': () => ({ email: 'new@example.com', role: 'admin' }),
  'PUT /open/workspaces/:workspaceId/users/:userId/update-role': () => ({ role: 'admin' }),
  'POST /open/workspaces/:workspaceId/people/find': () => ({ value: 'nobody@example.com' }),
  'POST /open/workspaces/:workspaceId/people/export': () => ({ value: 'nobody@example.com' }),
  'POST /open/workspaces/:workspaceId/people/erase': () => ({ value: 'nobody@example.com' }),
  'POST /invites/accept': ({ inviteToken }) => ({ invite_token: inviteToken }),
  'POST /open/forms': ({ workspaceId }) => ({ workspace_id: workspaceId, title: 'New' }),
  'PUT /open/forms/:form': () => ({ title: 'Renamed' }),
  'PUT /open/workspaces/:workspaceId/settings': () => ({ max_file_size: 30 }),
  'PUT /open/workspaces/:workspaceId/mail-server': () => MAIL_SERVER,
  'PUT /open/workspaces/:workspaceId/payments': () => ({ stripe_secret_key: KNOWN_KEY }),
  'PUT /open/workspaces/:workspaceId/summary-mails': () => ({ every: null }),
  'POST /open/workspaces/:workspaceId/mail-server/test': () => MAIL_SERVER,
  'POST /open/forms/:form/move': ({ workspaceId }) => ({ workspace_id: workspaceId }),
  'POST /open/forms/preview': ({ workspaceId }) => ({ workspace_id: workspaceId }),
  'POST /open/forms/:form/preview': () => ({ title: 'Soon' }),
  'PUT /open/forms/:form/draft': () => ({ title: 'On its way' }),
  'POST /forms/:form/answer': () => ({}),
  'POST /forms/:form/progress': () => ({ started: true }),
  'PUT /open/forms/:form/submissions/:submissionId': () => ({ completion_time: 3 }),
  'POST /open/forms/:form/submissions/multi': ({ submissionId }) => ({ submissionIds: [submissionId] }),
  'POST /open/forms/:form/submissions/trash': ({ submissionId }) => ({ submissionIds: [submissionId] }),
  'POST /open/forms/:form/submissions/trash/restore': ({ trashedId }) => ({ submissionIds: [trashedId] }),
  'POST /open/forms/:form/submissions/rename-option': () => ({
    property_id: OPTIONS_FIELD_ID,
    from: 'Former',
    to: 'Now',
  }),
  'POST /open/forms/:form/submissions/import': () => ({ submissions: [{ answers: {} }] }),
  'PUT /open/forms/:form/submissions/reviews': ({ submissionId }) => ({
    submissionIds: [submissionId],
    state: 'approved',
  }),
  'POST /open/forms/:form/submissions/:submissionId/review': () => ({ state: 'rejected', note: 'Too late.' }),
  'POST /open/forms/:form/live-tables': () => ({ name: 'Sheet' }),
  'POST /open/forms/:form/saved-views': () => ({ name: 'Partial', definition: { status: 'partial' } }),
  'PUT /open/forms/:form/saved-views/:viewId': () => ({ name: 'Renamed' }),
  'POST /open/forms/:form/scenarios': () => ({ name: 'Empty', answers: {} }),
  'PUT /open/forms/:form/scenarios/:scenarioId': () => ({ name: 'Renamed' }),
  'PUT /open/forms/:form/personal-links': () => ({ required: false }),
  'POST /open/forms/:form/recipients': () => ({ recipients: [{ name: 'Ada' }] }),
  'POST /open/forms/:form/recipients/delete': () => ({ ids: [1] }),
  'POST /open/forms/:form/recipients/reopen': () => ({ ids: [1] }),
  'POST /open/forms/:form/recipients/correct': () => ({ recipients: [{ id: 1, email: 'ada@example.com' }] }),
  'POST /open/forms/:form/recipients/mails': () => ({ kind: 'reminder', subject: 'Please', text: 'Answer' }),
  'POST /open/forms/:form/submissions/export': () => ({ columns: { id: true } }),
  'POST /open/forms/:form/integrations': webhook,
  'PUT /open/forms/:form/integrations/:integrationId': webhook,
  'POST /open/forms/:form/integrations/:integrationId/deliveries/replay': () => ({
    since: '2020-01-01T00:00:00Z',
  }),
  'POST /external/partner/webhook': hook,
  'DELETE /external/partner/webhook': hook,
  'POST /external/zapier/webhook': hook,
  'DELETE /external/zapier/webhook': hook,
};

/** The pages of a preview: its token is longer than the name of any other page of a form. */
const PREVIEW = '/forms/preview/:previewToken([\\w-]{43})';

const PART: Call['raw'] = {
  type: 'application/offset+octet-stream',
  headers: { 'tus-resumable': '1.0.0', 'upload-length': '4', 'upload-offset': '0' },
};

/** Bodies that are not JSON, with the headers that describe them. */
const RAW_BODIES: Record<string, Call['raw']> = {
  'POST /forms/:form/uploads': PART,
  'HEAD /forms/:form/uploads/:upload': PART,
  'PATCH /forms/:form/uploads/:upload': { ...PART, text: 'text' },
  'DELETE /forms/:form/uploads/:upload': PART,
  'POST /forms/:form': { type: 'application/x-www-form-urlencoded', text: 'Name=Ada' },
  'POST /oauth/revoke': { type: 'application/x-www-form-urlencoded', text: 'token=none' },
  'POST /open/workspaces/:workspaceId/pictures': { type: 'image/svg+xml', text: '<svg />' },
  'POST /forms/:form/unlock': { type: 'application/x-www-form-urlencoded', text: 'password=guess' },
  [`POST ${PREVIEW}`]: { type: 'application/x-www-form-urlencoded', text: 'Name=Ada' },
  [`POST ${PREVIEW}/files`]: {
    type: 'multipart/form-data; boundary=b',
    text: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n',
  },
  'POST /forms/:form/files': {
    type: 'multipart/form-data; boundary=b',
    text: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n',
  },
};

const QUERIES: Record<string, (place: Place) => string> = {
  'GET /open/forms/:form/submissions/events': () => '?wait=0',
  'POST /forms/:form/files': () => `?field=${FILES_FIELD_ID}`,
  'POST /forms/:form/uploads': () => `?field=${FILES_FIELD_ID}`,
  'GET /external/partner/forms': ({ workspaceId }) => `?workspace_id=${workspaceId}`,
  'GET /external/zapier/forms': ({ workspaceId }) => `?workspace_id=${workspaceId}`,
  'GET /external/partner/submissions/recent': ({ form }) => `?form_id=${form}`,
  'GET /external/zapier/submissions/recent': ({ form }) => `?form_id=${form}`,
};

export const ROUTES: RouteRow[] = TABLE.trim().split('\n').slice(1).filter(Boolean).map(parseRow);

export function nameOf({ method, path }: Pick<RouteRow, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

export function parametersOf({ path }: Pick<RouteRow, 'path'>): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown> | undefined;
  /** Sent instead of a JSON body. */
  raw?: { type: string; text?: string; headers?: Record<string, string> } | undefined;
}

/** A request that is accepted from every caller who is let in. `ids` are values of path parameters, already percent-encoded. */
export function callOf(
  row: RouteRow,
  place: Place,
  caller: Person,
  ids: Record<string, string | number> = {},
): Call {
  // The public routes know a form only by its slug.
  const form = row.path.startsWith('/forms/') ? place.slug : place.form;
  const values: Record<string, string | number> = {
    ...place,
    form,
    token: place.exportToken,
    option: 'slug',
    ...ids,
  };
  const path = row.path.replace(/:(\w+)(?:\([^)]*\))?/g, (_whole, name: string) => String(values[name]));
  const query = QUERIES[nameOf(row)]?.(place) ?? '';
  return {
    method: row.method,
    path: path + query,
    body: BODIES[nameOf(row)]?.(place, caller),
    raw: RAW_BODIES[nameOf(row)],
  };
}

function parseRow(line: string): RouteRow {
  const [method = '', path = '', needs = '', role, ...statuses] = line.trim().split(/\s+/);
  const answers = Object.fromEntries(COLUMNS.map((column, index) => [column, Number(statuses[index])]));
  const session = statuses[COLUMNS.length];
  return {
    method: method as RouteRow['method'],
    path,
    needs: needs as RouteRow['needs'],
    role: role === '-' ? null : (role as MemberRole),
    answers: answers as RouteRow['answers'],
    session: session === '=' ? null : Number(session),
  };
}
