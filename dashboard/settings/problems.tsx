/** Problems, announced when they appear. */
export function Problems({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <p role="alert" className="text-[0.8125rem] text-bad">
      {texts.join(' ')}
    </p>
  );
}
