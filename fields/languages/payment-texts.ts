/** Texts for those who pay. */
export interface PaymentTexts {
  /** Under the amount in the form. */
  payAfterwards: string;
  /** The page where they pay. */
  payTitle: string;
  /** `{amount}` with its currency */
  payText: string;
  /** `{amount}` with its currency */
  payButton: string;
  /** Where a key for tests is in use. */
  payTest: string;
  /** The money is on its way. */
  payProcessing: string;
  payFailed: string;
  payUnknown: string;
  paidKept: string;
  /** Where the form is full or closed. */
  payNothing: string;
  /** Where changed answers would cost more than was paid. */
  payMore: string;
}
