/** The worker's script; it answers for addresses that begin as it does. */
export const WORKER = '/forms/worker.js';
export const WORKER_SCOPE = '/forms/';

/** Header of pages that the worker may show again without a network; a boolean of RFC 9651. */
export const WORKS_OFFLINE = 'works-offline';
