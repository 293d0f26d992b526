import type { Values } from './setting.ts';

/** How search engines and messengers may show the form. */
export function SearchSample({ values, address }: { values: Values; address: string }) {
  const text = (key: string) => {
    const value = values.seo_meta[key];
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  };
  const picture = text('page_thumbnail');
  return (
    <figure className="grid gap-2">
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        {picture && <img src={picture} alt="" className="h-36 w-full object-cover" />}
        <div className="grid gap-0.5 p-4">
          <p className="truncate text-xs text-muted">{text('site_name') ?? new URL(address).host}</p>
          <p dir="auto" className="line-clamp-2 font-semibold break-words">
            {text('page_title') ?? values.title}
          </p>
          <p dir="auto" className="line-clamp-2 break-words text-muted">
            {text('page_description') ?? values.description ?? 'No description'}
          </p>
        </div>
      </div>
      <figcaption className="text-[0.8125rem] text-muted">About how a link to the form looks.</figcaption>
    </figure>
  );
}
