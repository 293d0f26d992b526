/** Types of the parts the tests use; the package brings none. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: { name: string }[];
    });
    /** Of Koa: whether `X-Forwarded-*` count. */
    proxy: boolean;
    httpServer: Server;
    run(): Promise<{ port: number }>;
  }
  export = S3rver;
}
