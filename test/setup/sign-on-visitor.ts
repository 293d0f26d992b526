import type { OidcProvider } from './oidc-provider.ts';
import type { Answer, TestService } from './service.ts';

/** A browser without pages: it keeps cookies and follows redirects. */
export interface Visitor {
  cookies: Map<string, string>;
  get(path: string): Promise<Answer>;
  call(method: string, path: string, body?: object): Promise<Answer>;
  /** Goes to the provider, by our address or its own. @returns path and query it sends the browser back to */
  leave(path?: string): Promise<string>;
  /** Goes to the provider and back. @returns the final path */
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
