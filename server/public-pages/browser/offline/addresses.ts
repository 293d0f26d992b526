/** The worker's script, and what the addresses it answers for begin with. */
export const WORKER = '/worker.js';
export const WORKER_SCOPE = '/forms/';

/** Header of forms' pages: whether the worker may show them again without a network; a boolean of RFC 9651. */
export const WORKS_OFFLINE = 'works-offline';
