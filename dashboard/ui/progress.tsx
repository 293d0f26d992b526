/** @param value from 0 to 1; null if unknown */
export function Progress({ label, value }: { label: string; value: number | null }) {
  const percent = value === null ? null : Math.round(Math.min(Math.max(value, 0), 1) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== null && { 'aria-valuenow': percent })}
      className="h-1.5 w-full overflow-hidden rounded-full bg-hover"
    >
      <div
        className={`drawn h-full rounded-full bg-accent transition-[width] ${percent === null ? 'w-1/3 animate-pulse' : ''}`}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
