import type { BrowserContext, Page } from 'playwright-core';
import { MARK_FRAMED } from '../../server/public-pages/page/layout.ts';

/** Texts that would run `pwned()` where a page took them for markup, an address, a style or a script. */
export const INJECTIONS = [
  '<script>pwned(1)</script>',
  '"><script>pwned(2)</script>',
  "'><img src=x onerror=pwned(3)>",
  '"><svg onload=pwned(4)>',
  '" autofocus onfocus="pwned(5)" x="',
  "' onmouseover='pwned(6)' '",
  'x onerror=pwned(7) ` onload=pwned(7)',
  '</title></textarea></option></select></noscript><script>pwned(8)</script>',
  '</style><script>pwned(9)</script>',
  '</script><script>pwned(10)</script>',
  '<!--<script>pwned(11)</script>--><img src=x onerror=pwned(11)>',
  ']]><script>pwned(12)</script>',
  'javascript:pwned(13)',
  ' java\tscript:pwned(14)',
  '\u0001javascript:pwned(15)',
  'data:text/html,<script>parent.pwned(16)</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="pwned(17)"/>',
  '<a href="javascript:pwned(18)">a link</a><a href="jAvAsCrIpT&colon;pwned(18)">another</a>',
  '<iframe srcdoc="<script>parent.pwned(19)</script>"></iframe>',
  '<object data="data:text/html,<script>pwned(20)</script>"></object><embed src="javascript:pwned(20)">',
  '<form action="javascript:pwned(21)"><button>Send</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:pwned(22)"><base href="https://evil.example/">',
  '<math><mtext><table><mglyph><style><!--</style><img src=x onerror=pwned(23)>',
  '<noscript><p title="</noscript><img src=x onerror=pwned(24)>">',
  '<svg><animate onbegin=pwned(25) attributeName=x dur=1s></svg>',
  '<details open ontoggle=pwned(26)><video><source onerror=pwned(26)></video></details>',
  '<p style="background:url(javascript:pwned(27));x:expression(pwned(27))">style</p>',
  'red;}*{background:url("javascript:pwned(28)")}</style>{',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as other template languages write it
  '{{constructor.constructor("pwned(29)")()}} ${pwned(29)} #{pwned(29)} <%= pwned(29) %>',
  '"});pwned(30);({"a":"\\u003cscript>pwned(30)\\u003c/script>',
  '\u2028pwned(31)\u2029//\u2028</script>',
  '＜script＞pwned(32)＜/script＞ \u202e<img src=x onerror=pwned(32)>',
  '<scr<script>ipt>pwned(33)</scr</script>ipt>',
  '<img src=x onerror\u000b=pwned(34)><img/src="x"/onerror=pwned(34)>',
  '&lt;script&gt;pwned(35)&lt;/script&gt;&#x3c;img src=x onerror=pwned(35)&#x3e;',
  '<span mention mention-field-id="f0" mention-fallback="&lt;img src=x onerror=pwned(36)&gt;"><img src=x onerror=pwned(36)></span>',
  '<input name=action id=form><img name=body><a id=defaultView></a>',
  '<link rel=stylesheet href="https://evil.example/a.css"><template shadowrootmode=open><script>pwned(38)</script></template>',
] as const;

/** The same as the end of a web address. */
export const INJECTED_ADDRESSES = INJECTIONS.map(
  (text) => `https://pictures.example/${text.replace(/\s/g, '/')}`,
);

/**
 * Watches the pages of a visitor. @returns a list that grows with every problem: code that ran or was stopped only by the
 * content policy, dialogs, and other windows
 */
export async function watchInjections(context: BrowserContext): Promise<string[]> {
  const seen: string[] = [];
  await context.exposeBinding('pwned', (_source, what) => {
    seen.push(`ran: ${what}`);
  });
  await context.exposeBinding('violated', (_source, what) => {
    seen.push(`stopped by the policy: ${what}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      (window as unknown as { violated(what: string): void }).violated(
        `${violatedDirective} ${blockedURI} ${sample}`,
      );
    });
  });
  context.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('page', (page) => page.on('popup', () => seen.push('another window')));
  return seen;
}

/** Elements of the page that are not ours: they count even if they do not run. */
export function foreignParts(page: Page): Promise<string[]> {
  return page.evaluate((MARK_FRAMED) => {
    const OURS =
      'script[type="application/json"]#form-data,link[rel=icon],link[rel=canonical],meta[charset],meta[name],meta[property],[data-repeat]+template,.toolbar>button>svg';
    const NEVER =
      'script,link,meta,base,object,embed,applet,iframe,frame,svg,math,template,style:not(head > style)';
    // Content of templates counts too, since the script may put it into the page.
    const all = (within: ParentNode): HTMLElement[] =>
      [...within.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
        element,
        ...(element instanceof HTMLTemplateElement ? all(element.content) : []),
      ]);
    const elements = all(document);
    const parts = elements
      .filter((element) => element.matches(NEVER))
      .filter(
        (element) =>
          !element.matches(OURS) &&
          !(element.matches('head > script[src^="/assets/"]') && element.nonce) &&
          !(element.matches('head > script:not([src])') && element.textContent === MARK_FRAMED),
      )
      .map((element) => element.outerHTML.slice(0, 200));
    if (document.querySelectorAll('head > style').length !== 1) parts.push('a second style sheet');
    if (document.forms.length > 1) parts.push('a second form');
    for (const element of elements) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || name === 'srcdoc') parts.push(`${element.localName} ${name}="${value}"`);
        const isAddress = /^(?:href|src|action|formaction|data|poster|ping|xlink:href)$/.test(name);
        const isCode = /^(?:javascript|vbscript|data):/i.test(value.replace(/[\s\p{Cc}]/gu, ''));
        if (isAddress && isCode && value !== 'data:,') parts.push(`${element.localName} ${name}="${value}"`);
      }
    }
    return parts;
  }, MARK_FRAMED);
}
