/** Sends what the outbox holds. */
export interface Dispatcher {
  /** Says that deliveries of these integrations have just been committed. Cheap; never throws. */
  wake(integrationIds: Iterable<number>): void;
  start(): void;
  /** Finishes what is on the wire, gives unsent claims back. */
  stop(): Promise<void>;
}
