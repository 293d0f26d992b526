/** A kind of file that can be told by its first bytes. */
interface ContentKind {
  /** The content type that a browser may be told, or null when it is better told none. */
  contentType: string | null;
  /** Extensions that a file with such content may have. */
  extensions: readonly string[];
  matches(head: Buffer): boolean;
}

/** So many bytes are enough to tell the kind. */
export const HEAD_SIZE = 4_096;
/** PDF readers look for `%PDF-` in the first bytes, up to this number. */
const PDF_HEAD = 1_024;

const OFFICE = 'docx,xlsx,pptx,dotx,xltx,potx,docm,xlsm,pptm,odt,ods,odp,odg,epub,pages,numbers,vsdx';
const ZIPPED = `zip,${OFFICE},jar,apk,kmz,sketch,xpi`;

/** In order: the first kind that matches counts. */
const KINDS: readonly ContentKind[] = [
  kind('image/png', 'png', bytes('89504e470d0a1a0a')),
  kind('image/jpeg', 'jpg,jpeg,jpe,jfif', bytes('ffd8ff')),
  kind('image/gif', 'gif', either(text('GIF87a'), text('GIF89a'))),
  kind('image/webp', 'webp', both(text('RIFF'), text('WEBP', 8))),
  kind('image/bmp', 'bmp', both(text('BM'), bytes('00000000', 6))),
  kind('image/tiff', 'tif,tiff,dng,nef,cr2,arw', either(bytes('49492a00'), bytes('4d4d002a'))),
  kind('image/avif', 'avif', brand('avif', 'avis')),
  kind('image/heic', 'heic,heif,avif', brand('heic', 'heix', 'hevc', 'heim', 'mif1', 'msf1')),
  kind('video/mp4', 'mp4,m4v,m4a,m4b,mov,3gp,3g2', oneOf(4, 'ftyp', 'moov', 'wide', 'mdat', 'free')),
  kind('video/webm', 'webm,mkv,mka', bytes('1a45dfa3')),
  kind('video/x-msvideo', 'avi', both(text('RIFF'), text('AVI ', 8))),
  kind('video/x-ms-wmv', 'wmv,wma,asf', bytes('3026b2758e66cf11')),
  kind('audio/wav', 'wav', both(text('RIFF'), text('WAVE', 8))),
  kind('audio/aac', 'aac', either(bytes('fff1'), bytes('fff9'))),
  kind('audio/mpeg', 'mp3', either(text('ID3'), bytes('fffb'), bytes('fff3'), bytes('fff2'), bytes('fffa'))),
  kind('audio/flac', 'flac', text('fLaC')),
  kind('audio/ogg', 'ogg,oga,ogv,opus', text('OggS')),
  kind('audio/amr', 'amr', text('#!AMR')),
  kind('application/pdf', 'pdf', (head) => head.subarray(0, PDF_HEAD).includes('%PDF-')),
  kind(null, ZIPPED, either(bytes('504b0304'), bytes('504b0506'))),
  kind(null, 'doc,xls,ppt,msg,vsd,msi', bytes('d0cf11e0a1b11ae1')),
  kind(null, 'rtf,doc', text('{\\rtf')),
  kind(null, 'gz,tgz', bytes('1f8b')),
  kind(null, '7z', bytes('377abcaf271c')),
  kind(null, 'rar', text('Rar!')),
  kind(null, 'bz2', text('BZh')),
  kind(null, 'xz', bytes('fd377a585a00')),
  kind(null, 'psd', text('8BPS')),
  kind(null, 'exe,dll,scr,sys,com,cpl', isWindowsProgram),
  kind(null, 'so,elf', bytes('7f454c46')),
];

/** Files with these extensions must have content of the same kind. */
const KNOWN_EXTENSIONS = new Set(KINDS.flatMap(({ extensions }) => extensions));
/** May begin with bytes of no known kind: players skip them to find the sound. */
const LOOSE = new Set(['mp3', 'aac']);
/** Extensions of plain text, whose content must be of no known kind. */
const TEXTS = new Set('txt,csv,tsv,md,json,log,ics,vcf,yaml,yml,ini,toml,tex,srt,eml'.split(','));
/** Files that a browser shows as pages, and others that may carry scripts. */
const MARKUP_EXTENSIONS = new Set(
  'html,htm,xhtml,xhtm,xht,shtml,mhtml,mht,xml,xsl,xslt,svg,svgz,hta,htc'.split(','),
);
const PROGRAMS = new Set('exe,dll,scr,sys,com,cpl'.split(','));

/** The kind of content that begins with these bytes, or null when it is not known. */
export function kindOf(head: Buffer): ContentKind | null {
  return KINDS.find(({ matches }) => matches(head)) ?? null;
}

/** True for an extension that is refused whatever the form allows. */
export function isMarkupExtension(extension: string): boolean {
  return MARKUP_EXTENSIONS.has(extension);
}

/** Whether a file with content of this kind may have this extension. Unknown extensions fit everything but programs. */
export function fitsExtension(found: ContentKind | null, extension: string): boolean {
  if (found?.extensions.includes(extension)) return true;
  if (TEXTS.has(extension) || LOOSE.has(extension)) return found === null;
  if (KNOWN_EXTENSIONS.has(extension)) return false;
  return !found?.extensions.some((other) => PROGRAMS.has(other));
}

/** Whether a browser that guesses the type could take the content for a page (WHATWG MIME Sniffing, 7.1) or for XML. */
export function isMarkup(head: Buffer): boolean {
  const start = decode(head).replace(/^[\s\0\ufeff]+/, '');
  return /^<(?:[!?]|\/?[a-z][\w:.-]*(?:\s|\/?>))/i.test(start);
}

/** UTF-16 is recognized by its byte order mark, or by a zero byte beside a leading `<`. */
function decode(head: Buffer): string {
  const isLittle = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0x3c && head[1] === 0);
  const isBig = (head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0 && head[1] === 0x3c);
  if (!isLittle && !isBig) return head.toString('utf8');
  const even = Buffer.from(head.subarray(0, head.length - (head.length % 2)));
  return (isBig ? even.swap16() : even).toString('utf16le');
}

type Match = (head: Buffer) => boolean;

function kind(contentType: string | null, extensions: string, matches: Match): ContentKind {
  return { contentType, extensions: extensions.split(','), matches };
}

function bytes(hex: string, offset = 0): Match {
  const expected = Buffer.from(hex, 'hex');
  return (head) => head.subarray(offset, offset + expected.length).equals(expected);
}

function text(ascii: string, offset = 0): Match {
  return bytes(Buffer.from(ascii, 'latin1').toString('hex'), offset);
}

function either(...matches: Match[]): Match {
  return (head) => matches.some((match) => match(head));
}

function both(...matches: Match[]): Match {
  return (head) => matches.every((match) => match(head));
}

/** One of these words at this place. */
function oneOf(offset: number, ...words: string[]): Match {
  return either(...words.map((word) => text(word, offset)));
}

/** ISO base media (ISO/IEC 14496-12) with one of these major brands. */
function brand(...names: string[]): Match {
  return both(text('ftyp', 4), oneOf(8, ...names));
}

/** `MZ` alone may be text; a program also has `PE` where its header points to. */
function isWindowsProgram(head: Buffer): boolean {
  if (head.length < 64 || head.toString('latin1', 0, 2) !== 'MZ') return false;
  const at = head.readUInt32LE(60);
  return head.toString('latin1', at, at + 4) === 'PE\0\0' || at === 0;
}
