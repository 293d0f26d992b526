/** Whether the address asks to publish: `?publish`. */
export function readBuildSearch({ publish }: Record<string, unknown>): { publish?: true } {
  return publish === true || publish === '' ? { publish: true } : {};
}
