/** Keys that tell where a visitor came from: these sixteen and no others. */
export const ATTRIBUTION_KEYS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_id',
  'utm_term',
  'utm_content',
  'utm_source_platform',
  'utm_creative_format',
  'utm_marketing_tactic',
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'ttclid',
  'msclkid',
] as const;

/** Together with a key it is the name of an export column. */
export const ATTRIBUTION_PREFIX = 'meta.attribution.';
