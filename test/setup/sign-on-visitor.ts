import type { OidcProvider } from './oidc-provider.ts';
import type { Answer, TestService } from './service.ts';

/** A browser without pages: keeps cookies, and goes where it is sent. */
export interface Visitor {
  cookies: Map<string, string>;
  get(path: string): Promise<Answer>;
  call(method: string, path: string, body?: object): Promise<Answer>;
  /** To the provider, by our address or its own. @returns where it sends the browser back to, as path and query */
  leave(path?: string): Promise<string>;
  /** There and back. @returns where it ends */
  signOn(path?: string): Promise<string>;
}

export function aVisitor(
  service: TestService,
  provider: OidcProvider,
  headers: Record<string, string> = {},
): Visitor {
  const cookies = new Map<string, string>();
  const visitor: Visitor = {
    cookies,
    get: (path) => visitor.call('GET', path),
    async call(method, path, body) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await service.request(method, path, {
        ...(cookie && { cookie }),
        ...(body && { body }),
        headers,
      });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const [name = '', value = ''] = pair.split('=');
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
    async leave(path = '/auth/oidc') {
      const isOurs = path.startsWith('/');
      const address = isOurs ? (await visitor.get(path)).headers.get('location') : path;
      const back = await provider.authorize(address ?? '');
      return back.pathname + back.search;
    },
    async signOn(path) {
      const answer = await visitor.get(await visitor.leave(path));
      if (answer.status !== 302) throw new Error(`the callback answered ${answer.status}: ${answer.text}`);
      return answer.headers.get('location') ?? '';
    },
  };
  return visitor;
}
