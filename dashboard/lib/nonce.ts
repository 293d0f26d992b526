declare global {
  interface Window {
    /** Read by libraries that add style elements at run time. */
    __webpack_nonce__?: string;
  }
}

/** Lets libraries add styles, which the page's policy requires a nonce for. */
export function handOnNonce(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  if (meta?.nonce) window.__webpack_nonce__ = meta.nonce;
}
