export function sanitiseHtml(html: string): string {
  return html;
}
