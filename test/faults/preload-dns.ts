// Loaded into the service with --import: sends its look-ups to the test's name server, NAME_SERVER as address:port.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const Original = dns.Resolver;

class StubbedResolver extends Original {
  constructor(...options: ConstructorParameters<typeof Original>) {
    super(...options);
    this.setServers([process.env.NAME_SERVER ?? '127.0.0.1:9']);
  }
}

dns.Resolver = StubbedResolver;
syncBuiltinESMExports();
