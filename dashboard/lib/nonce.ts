declare global {
  interface Window {
    /** Where libraries look that add style elements while they run. */
    __webpack_nonce__?: string;
  }
}

/** Lets libraries add the styles that the policy of the page allows. */
export function handOnNonce(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  if (meta?.nonce) window.__webpack_nonce__ = meta.nonce;
}
