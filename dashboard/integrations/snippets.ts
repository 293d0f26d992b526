/** Code for a receiver, in several languages, that verifies deliveries. */
interface Snippet {
  id: string;
  name: string;
  code: string;
  /** A second part, if there is more to show. */
  more?: { title: string; code: string };
}

const NODE = `import { createHmac, timingSafeEqual } from "node:crypto";

// rawBody: a Buffer with the body before any JSON parser has seen it.
// signature: request.headers["x-webhook-signature"]
export function isGenuine(secret, rawBody, signature) {
  const expected = \`sha256=\${createHmac("sha256", secret).update(rawBody).digest("hex")}\`;
  const [given, wanted] = [Buffer.from(signature ?? ""), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
`;

const PYTHON = `import hashlib
import hmac


# raw_body: the bytes of the body before any JSON parser has seen them.
# signature: the header X-Webhook-Signature
def is_genuine(secret: str, raw_body: bytes, signature: str | None) -> bool:
    expected = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), (signature or "").encode())
`;

const PHP = `<?php

function is_genuine(string $secret): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', file_get_contents('php://input'), $secret);
    return hash_equals($expected, $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '');
}
`;

const GO = `import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// rawBody: as read from the request. signature: r.Header.Get("X-Webhook-Signature")
func isGenuine(secret string, rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}
`;

const RUBY = `require 'openssl'

# raw_body: request.body.read
# signature: request.env['HTTP_X_WEBHOOK_SIGNATURE']
def genuine?(secret, raw_body, signature)
  expected = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, raw_body)}"
  OpenSSL.secure_compare(expected, signature.to_s)
end
`;

const SHELL = `# body.json: the body, byte for byte. $SIGNATURE: the header X-Webhook-Signature
EXPECTED="sha256=$(openssl dgst -sha256 -hmac "$SECRET" -r body.json | cut -d' ' -f1)"
[ "$EXPECTED" = "$SIGNATURE" ] && echo genuine || echo forged
`;

const CURL = `# Try your own receiver with a delivery of your own making.
BODY='{"form_id":1,"submission_id":1,"data":{}}'
SIGNATURE="sha256=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)"
curl -i "$RECEIVER" -H 'Content-Type: application/json' \\
  -H "X-Webhook-Signature: $SIGNATURE" --data-raw "$BODY"
`;

export const SNIPPETS: readonly Snippet[] = [
  { id: 'node', name: 'Node.js', code: NODE },
  { id: 'python', name: 'Python', code: PYTHON },
  { id: 'php', name: 'PHP', code: PHP },
  { id: 'go', name: 'Go', code: GO },
  { id: 'ruby', name: 'Ruby', code: RUBY },
  { id: 'shell', name: 'curl and openssl', code: SHELL, more: { title: 'Send one yourself', code: CURL } },
];
