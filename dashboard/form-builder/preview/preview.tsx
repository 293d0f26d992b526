import { useQueryClient } from '@tanstack/react-query';
import { Monitor, RotateCcw, Smartphone } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, type Body } from '../../api/client.ts';
import { noteRefusal } from '../../api/query-client.ts';
import { classes } from '../../lib/classes.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { carryOver, showBlock, stepShown } from './preview-frame.ts';
import { useInertBehindDialogs } from './use-inert.ts';

/** The parts of the form to preview; the others are as published. */
interface Shape {
  readonly properties: readonly object[];
  /** Further members. */
  readonly others?: Readonly<Record<string, unknown>>;
}

interface PreviewProps {
  formId: number;
  definition: Shape;
  /** Id of the block to scroll to. */
  selected?: string | null;
  /** Whether the preview is out of sight. */
  isPaused?: boolean;
  /** Called with the visible frame whenever it has loaded a page, further ones too. */
  onPage?(frame: HTMLIFrameElement): void;
}

const WIDTHS = { phone: 375, desktop: 1024 };
type Device = keyof typeof WIDTHS;
/** Milliseconds without typing after which the page is made anew. */
const REST_MS = 500;

interface Shown {
  /** Path of the page on this service; it must not change, or the frame would reload. */
  path: string;
  /** Distinguishes it from the page before. */
  key: number;
}

/** The real public page of the unsaved form. The next version loads behind the visible one. */
export function Preview({ formId, definition, selected = null, isPaused = false, onPage }: PreviewProps) {
  const client = useQueryClient();
  const [device, setDevice] = useState<Device>('phone');
  const [current, setCurrent] = useState<Shown | null>(null);
  const [next, setNext] = useState<Shown | null>(null);
  const [problem, setProblem] = useState('');
  const [tries, setTries] = useState(0);
  const frames = useRef(new Map<number, HTMLIFrameElement>());
  const shownFrame = useRef<HTMLIFrameElement>(undefined);
  shownFrame.current = current ? frames.current.get(current.key) : undefined;
  const section = useRef<HTMLElement>(null);
  useInertBehindDialogs(section);
  const isFresh = useRef(false);
  const made = useRef<{ definition: Shape | null; wanted: string }>({ definition: null, wanted: '' });
  const settled = useDebounced(definition, REST_MS);

  useEffect(() => {
    const wanted = `${formId} ${tries}`;
    if (isPaused || (made.current.definition === settled && made.current.wanted === wanted)) return;
    const stop = new AbortController();
    makePreview(formId, settled, stop.signal).then(
      (path) => {
        setProblem('');
        made.current = { definition: settled, wanted };
        const step = isFresh.current ? 0 : stepShown(shownFrame.current);
        setNext({ path: step > 0 ? `${path}?step=${step}` : path, key: Date.now() });
      },
      (error: Error) => {
        if (stop.signal.aborted) return;
        noteRefusal(client, error);
        setProblem(error.message);
      },
    );
    return () => stop.abort();
  }, [client, formId, settled, tries, isPaused]);

  const show = useCallback(
    (loaded: Shown) => {
      const before = current && frames.current.get(current.key);
      const after = frames.current.get(loaded.key);
      if (before && after && !isFresh.current) carryOver(before, after);
      isFresh.current = false;
      setCurrent(loaded);
      setNext(null);
    },
    [current],
  );

  useEffect(() => {
    const frame = current && frames.current.get(current.key);
    if (frame && selected !== null) showBlock(frame, selected);
  }, [current, selected]);

  const startOver = () => {
    isFresh.current = true;
    setTries((count) => count + 1);
  };
  const pages = [current, next].filter((one) => one !== null);
  return (
    <section ref={section} aria-label="Preview" className="flex h-full min-h-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1">
        <h2 className="flex-1 font-medium">Preview</h2>
        {next && current && (
          <span className="text-muted">
            <Spinner />
          </span>
        )}
        <IconButton label="Start over" size="sm" onClick={startOver}>
          <RotateCcw className="size-4" />
        </IconButton>
        {(['phone', 'desktop'] as const).map((name) => (
          <IconButton
            key={name}
            size="sm"
            label={name === 'phone' ? 'Width of a phone' : 'Width of a desktop'}
            aria-pressed={device === name}
            className={device === name ? 'bg-hover text-ink' : ''}
            onClick={() => setDevice(name)}
          >
            {name === 'phone' ? <Smartphone className="size-4" /> : <Monitor className="size-4" />}
          </IconButton>
        ))}
      </div>
      {problem !== '' && (
        <p role="alert" className="flex items-center gap-2 rounded-lg bg-warn-soft px-3 py-2 text-warn">
          <span className="flex-1">{problem}</span>
          <Button size="sm" onClick={() => setTries((count) => count + 1)}>
            Try again
          </Button>
        </p>
      )}
      <Stage device={device}>
        {pages.map((page) => (
          <iframe
            key={page.key}
            ref={(frame) => {
              if (frame) frames.current.set(page.key, frame);
              else frames.current.delete(page.key);
            }}
            title={page === current ? 'Preview of the form' : 'The next preview'}
            src={page.path}
            aria-hidden={page !== current || undefined}
            tabIndex={page === current ? 0 : -1}
            className={classes(
              'absolute inset-0 size-full border-0 bg-white',
              page !== current && 'pointer-events-none invisible',
            )}
            onLoad={({ currentTarget }) => {
              if (page !== current) show(page);
              onPage?.(currentTarget);
            }}
          />
        ))}
        {!current && (
          <div className="grid gap-4 p-6">
            <Skeleton className="h-7 w-2/3" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-9 w-28" />
          </div>
        )}
      </Stage>
    </section>
  );
}

/** As wide as the device, scaled down if there is less room. */
function Stage({ device, children }: { device: Device; children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const width = WIDTHS[device];
  const scale = size.width > 0 ? Math.min(1, size.width / width) : 1;
  return (
    <div
      ref={box}
      className="relative min-h-0 flex-1 overflow-hidden rounded-xl border border-line bg-sunken"
    >
      <div
        className="absolute top-0 origin-top-left overflow-hidden bg-white"
        style={{
          width,
          height: size.height / scale,
          // Whole pixels: between two, the white below the page would show at its edges.
          left: Math.round((size.width - width * scale) / 2),
          ...(scale < 1 && { transform: `scale(${scale})` }),
        }}
      >
        {children}
      </div>
    </div>
  );
}

/** @returns the path of the page, because the dashboard may be open at another origin */
async function makePreview(
  formId: number,
  { others, ...shown }: Shape,
  signal: AbortSignal,
): Promise<string> {
  const { url } = await api.post('/open/forms/{form}/preview', {
    path: { form: formId },
    body: { ...others, ...shown } as Body<'/open/forms/{form}/preview', 'post'>,
    signal,
  });
  return new URL(url).pathname;
}
