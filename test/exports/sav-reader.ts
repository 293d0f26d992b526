/** A variable as statistics programs show it. */
interface SavVariable {
  name: string;
  label: string;
  /** Bytes of a text; 0 for a number. */
  width: number;
  /** Display format: kind, width and decimals, as in `F8.2`. */
  format: string;
  measure: number;
  valueLabels: [number, string][];
}

interface SavFile {
  count: number;
  variables: SavVariable[];
  /** Multiple-response sets. */
  sets: { name: string; counted: string; label: string; members: string[] }[];
  /** In the order of the file; a missing number is null. */
  cases: Record<string, number | string | null>[];
}

const FORMATS: Record<number, string> = { 1: 'A', 5: 'F', 22: 'DATETIME', 39: 'SDATE' };
const MISSING = -Number.MAX_VALUE;

/** A dictionary record of a variable, or of a segment of one. */
interface VariableRecord {
  short: string;
  label: string;
  width: number;
  format: number;
  index: number;
}

/** Reads a byte-compressed SPSS system file, as “System File Format” of the GNU PSPP developers' guide describes it. */
export function readSav(bytes: Buffer): SavFile {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const int = () => take(4).readInt32LE();
  const double = () => take(8).readDoubleLE();
  const text = (length: number) => take(length).toString();
  const must = (what: unknown, wanted: unknown) => {
    if (what !== wanted) throw new Error(`${what} at ${at} instead of ${wanted}`);
  };

  must(text(4), '$FL2');
  text(60);
  must(int(), 2);
  const elements = int();
  must(int(), 1);
  must(int(), 0);
  const count = int();
  must(double(), 100);
  text(9 + 8 + 64 + 3);

  const records: VariableRecord[] = [];
  const labels = new Map<number, [number, string][]>();
  const extensions = new Map<number, Buffer>();
  let index = 0;
  const variable = () => {
    const [width, isLabelled, missing, format] = [int(), int(), int(), int()] as const;
    must(missing, 0);
    must(int(), format);
    const short = text(8).trimEnd();
    const length = isLabelled ? int() : 0;
    const label = text(Math.ceil(length / 4) * 4).trimEnd();
    index += 1;
    if (width >= 0) records.push({ short, label, width, format, index });
  };
  const valueLabels = () => {
    const pairs = Array.from({ length: int() }, (): [number, string] => {
      const value = double();
      const [length = 0] = take(1);
      const label = take(Math.ceil((length + 1) / 8) * 8 - 1);
      return [value, label.toString('utf8', 0, length)];
    });
    must(int(), 4);
    must(int(), 1);
    labels.set(int(), pairs);
  };
  const extension = () => {
    const subtype = int();
    const length = int() * int();
    extensions.set(subtype, take(length));
  };
  const readers = new Map([
    [2, variable],
    [3, valueLabels],
    [7, extension],
  ]);
  for (let kind = int(); kind !== 999; kind = int()) {
    const read = readers.get(kind);
    if (!read) throw new Error(`a record of kind ${kind} at ${at}`);
    read();
  }
  must(int(), 0);
  must(index, elements);
  must(extensions.get(20)?.toString(), 'UTF-8');

  const longNames = new Map(pairsOf(extensions.get(13), '\t'));
  const widths = new Map(pairsOf(extensions.get(14), '\0\t'));
  const display = extensions.get(11) ?? Buffer.alloc(0);
  must(display.length, records.length * 12);
  const variables: (SavVariable & { segments: VariableRecord[] })[] = [];
  for (let next = 0; next < records.length; ) {
    const first = records[next] as VariableRecord;
    const width = Number(widths.get(first.short) ?? first.width);
    const segments = records.slice(next, next + Math.max(1, width > 255 ? Math.ceil(width / 252) : 1));
    variables.push({
      name: longNames.get(first.short) ?? first.short,
      label: first.label,
      width,
      format: `${FORMATS[first.format >> 16]}${(first.format >> 8) & 255}${first.format & 255 ? `.${first.format & 255}` : ''}`,
      measure: display.readInt32LE(next * 12),
      valueLabels: labels.get(first.index) ?? [],
      segments,
    });
    next += segments.length;
  }

  const values = elementsOf(bytes.subarray(at));
  const cases = Array.from({ length: count }, (_, number) => {
    const read: Record<string, number | string | null> = {};
    for (const { name, width, segments } of variables) {
      const from = (number * elements + (segments[0]?.index ?? 1) - 1) * 8;
      if (width === 0) {
        const value = values.readDoubleLE(from);
        read[name] = value === MISSING ? null : value;
      } else {
        const parts = segments.map((segment) => {
          const start = (number * elements + segment.index - 1) * 8;
          return values.subarray(start, start + segment.width);
        });
        read[name] = Buffer.concat(parts).subarray(0, width).toString().trimEnd();
      }
    }
    return read;
  });
  must(values.length, count * elements * 8);
  const shortToName = new Map(variables.map(({ name, segments }) => [segments[0]?.short ?? '', name]));
  return {
    count,
    cases,
    variables: variables.map(({ segments: _, ...variable }) => variable),
    sets: setsIn(extensions.get(7), shortToName),
  };
}

function pairsOf(record: Buffer | undefined, separator: string): [string, string][] {
  return (record?.toString().split(separator) ?? [])
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=') as [string, string]);
}

/** `$name=D<length> <counted value> <length> <label> <members>`, the lengths in bytes. */
function setsIn(record: Buffer | undefined, nameOf: Map<string, string>): SavFile['sets'] {
  return (record?.toString('latin1').split('\n') ?? [])
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', counted = '', length = '', rest = ''] =
        /^\$([^=]+)=D1 (.) (\d+) (.*)$/.exec(line) ?? [];
      const label = rest.slice(0, Number(length));
      const members = rest.slice(Number(length) + 1).split(' ');
      const utf8 = (text: string) => Buffer.from(text, 'latin1').toString();
      return {
        name: utf8(name),
        counted,
        label: utf8(label),
        members: members.map((one) => nameOf.get(one) ?? one),
      };
    });
}

/** Unpacks the cases: each group of eight bytes describes the next eight elements. */
function elementsOf(packed: Buffer): Buffer {
  const elements: Buffer[] = [];
  let at = 0;
  const eight = () => {
    at += 8;
    return packed.subarray(at - 8, at);
  };
  while (at < packed.length) {
    for (const mark of eight()) {
      if (mark === 0) continue;
      if (mark === 253) elements.push(eight());
      else if (mark === 254) elements.push(Buffer.alloc(8, ' '));
      else elements.push(Buffer.from(Float64Array.of(mark === 255 ? MISSING : mark - 100).buffer));
    }
  }
  return Buffer.concat(elements);
}
