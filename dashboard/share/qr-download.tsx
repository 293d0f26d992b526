import { Download } from 'lucide-react';
import { encode } from 'uqr';
import { saveFile } from '../lib/save-file.ts';
import { Button } from '../ui/button.tsx';
import { QrCode } from '../ui/qr-code.tsx';

/** Light modules around the code (ISO/IEC 18004 requires four), and pixels per module in a PNG. */
const QUIET = 4;
const MODULE_PX = 16;

/** The link as a QR code, to show and to download. */
export function QrDownload({ link, name }: { link: string; name: string }) {
  return (
    <div className="flex flex-wrap items-center gap-5">
      <QrCode text={link} label="QR code of the link" />
      <div className="grid gap-2">
        <Button
          icon={<Download className="size-4" />}
          onClick={() => saveFile(new Blob([svgOf(link)], { type: 'image/svg+xml' }), `${name}.svg`)}
        >
          SVG
        </Button>
        <Button
          icon={<Download className="size-4" />}
          onClick={async () => {
            const png = await pngOf(link);
            if (png) saveFile(png, `${name}.png`);
          }}
        >
          PNG
        </Button>
      </div>
    </div>
  );
}

function svgOf(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}

function pngOf(text: string): Promise<Blob | null> {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const canvas = document.createElement('canvas');
  canvas.width = size * MODULE_PX;
  canvas.height = size * MODULE_PX;
  const pen = canvas.getContext('2d');
  if (!pen) return Promise.resolve(null);
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  data.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) pen.fillRect(x * MODULE_PX, y * MODULE_PX, MODULE_PX, MODULE_PX);
    });
  });
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
