import type { Workspace } from '../api/queries.ts';

/** The workspace's picture or emoji, or else its first letter. */
export function WorkspaceIcon({ workspace }: { workspace: Pick<Workspace, 'name' | 'icon'> | undefined }) {
  const { icon = '', name = '' } = workspace ?? {};
  const box = 'grid size-6 shrink-0 place-items-center overflow-hidden rounded-md';
  if (/^https?:\/\//i.test(icon)) return <img src={icon} alt="" className={`${box} object-cover`} />;
  // An icon is one or two characters; a longer text is a name set by another client.
  const emoji = [...new Intl.Segmenter().segment(icon)].length <= 2 ? icon : '';
  if (emoji !== '')
    return (
      <span aria-hidden="true" className={`${box} text-base`}>
        {emoji}
      </span>
    );
  const [first] = [...new Intl.Segmenter().segment(name.trim())];
  return (
    <span
      aria-hidden="true"
      className={`${box} bg-accent-soft text-xs font-semibold text-accent-strong uppercase`}
    >
      {first?.segment}
    </span>
  );
}
