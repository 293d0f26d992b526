/** The address of the worker's script, and the beginning of those it may answer. */
export const WORKER = '/worker.js';
export const WORKER_SCOPE = '/forms/';

/** Response header of a form's page: whether the worker may show the page again without a network; a boolean of RFC 9651. */
export const WORKS_OFFLINE = 'works-offline';
