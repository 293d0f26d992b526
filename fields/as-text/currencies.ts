/**
 * Currencies that Stripe charges, by how they count (https://docs.stripe.com/currencies). Those that are no longer money are left out, and
 * UGX, as it is not said clearly whether it counts in hundredths.
 */
const NO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
/** Written without decimals, but counted in hundredths. */
const COUNTED_IN_HUNDREDTHS = 'ISK';
/** Counted in thousandths, the last of which has to be 0: so amounts have two decimals. */
const COUNTED_IN_THOUSANDTHS = 'BHD JOD KWD OMR TND';
const TWO_DECIMALS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK DOP ' +
  'DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD ' +
  'MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK ' +
  'SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER ZAR ZMW';

/**
 * The least that Stripe charges, in whole units, where the account is paid out in the same currency
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
const LEAST: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ USD: 0.5, AUD: 0.5, BRL: 0.5, CAD: 0.5, CHF: 0.5, EUR: 0.5, GBP: 0.3, INR: 0.5, NZD: 0.5, SGD: 0.5 },
    ...{
      AED: 2,
      CZK: 15,
      DKK: 2.5,
      HKD: 4,
      HUF: 175,
      JPY: 50,
      MXN: 10,
      MYR: 2,
      NOK: 3,
      PLN: 2,
      RON: 2,
      SEK: 3,
      THB: 10,
    },
  }),
);

/** How amounts of a currency are written and counted. */
export interface Currency {
  /** Decimals that an amount may have. */
  decimals: number;
  /** Smallest units, as Stripe counts, in one whole unit. */
  units: number;
  /** Whole units that can be charged at least; 0 where no limit is known. */
  least: number;
}

/** By their codes (ISO 4217), in upper case. */
export const CURRENCIES: ReadonlyMap<string, Currency> = new Map(
  [
    ...each(NO_DECIMALS, { decimals: 0, units: 1 }),
    ...each(COUNTED_IN_HUNDREDTHS, { decimals: 0, units: 100 }),
    ...each(COUNTED_IN_THOUSANDTHS, { decimals: 2, units: 1_000 }),
    ...each(TWO_DECIMALS, { decimals: 2, units: 100 }),
  ].sort(([one], [other]) => (one < other ? -1 : 1)),
);

function each(codes: string, currency: Omit<Currency, 'least'>): [string, Currency][] {
  return codes.split(' ').map((code) => [code, { ...currency, least: LEAST.get(code) ?? 0 }]);
}

/** An amount in words of a language, such as `12,50 €`. @param amount in whole units @param code of the currency */
export function amountText(amount: number, code: string, language: string): string {
  const digits = CURRENCIES.get(code)?.decimals ?? 2;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
