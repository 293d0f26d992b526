import Type from 'typebox';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { findReceiptKeys } from './queries.ts';
import { publicKeyOf } from './signed-copy.ts';

/** Lets programs check receipts by themselves. */
export function registerReceiptKeyRoute(app: App, { db }: Context): void {
  app.get('/receipts/keys', { config: { access: { kind: 'public' } }, schema: keysSchema }, async () => {
    const keys = await findReceiptKeys(db);
    return {
      data: keys.map(({ id, public_key: bytes, created_at: createdAt }) => ({
        id,
        algorithm: 'Ed25519' as const,
        public_key: publicKeyOf(bytes).export({ format: 'pem', type: 'spki' }) as string,
        created_at: createdAt.toISOString(),
      })),
    };
  });
}

const keysSchema = {
  tags: ['Public'],
  summary: 'Read the public keys of receipts',
  description:
    'One for each secret key that receipts were signed with, the latest first. How to check a receipt: docs/public-page.md#receipts.',
  response: {
    200: Type.Object({
      data: Type.Array(
        Type.Object({
          id: Type.String({ description: 'As in the line `Key:` of a receipt.' }),
          algorithm: Type.Literal('Ed25519'),
          public_key: Type.String({ description: 'PEM (SubjectPublicKeyInfo).' }),
          created_at: Type.String({ description: 'When it signed the first one.' }),
        }),
      ),
    }),
  },
};
