/**
 * ISO 4217, list one, as published on 2026-01-01: the codes that have minor units,
 * by their number of digits, without separators. `Intl` cannot be the source,
 * because its minor digits differ for HUF, IDR, IQD and about thirty others. For
 * old invoices, the second line ends with codes that were withdrawn since 2020.
 */
const CODES_BY_DIGITS = [
  [0, 'BIFCLPDJFGNFISKJPYKMFKRWPYGRWFUGXUYIVNDVUVXAFXOFXPF'],
  [
    2,
    'AEDAFNALLAMDAOAARSAUDAWGAZNBAMBBDBDTBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCNYCOPCOUCRCCUPCVECZKDKKDOPDZDEGPERNETBEURFJDFKPGBPGELGHSGIPGMDGTQGYDHKDHNLHTGHUFIDRILSINRIRRJMDKESKGSKHRKPWKYDKZTLAKLBPLKRLRDLSLMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXNMXVMYRMZNNADNGNNIONOKNPRNZDPABPENPGKPHPPKRPLNQARRONRSDRUBSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSVCSYPSZLTHBTJSTMTTOPTRYTTDTWDTZSUAHUSDUSNUYUUZSVEDVESWSTXADXCDXCGYERZARZMWZWG' +
      'ANGBGNCUCHRKSLLZWL',
  ],
  [3, 'BHDIQDJODKWDLYDOMRTND'],
  [4, 'CLFUYW'],
] as const

/**
 * Returns the number of minor digits that ISO 4217 defines for a currency, or
 * `undefined` for a code that is unknown or has no minor units (gold, test codes).
 *
 * @param code in uppercase
 */
export function minorDigits(code: string): number | undefined {
  if (code.length !== 3) return undefined
  for (const [digits, codes] of CODES_BY_DIGITS) {
    // A match may span two codes. A code starts at a multiple of three.
    for (let at = codes.indexOf(code); at >= 0; at = codes.indexOf(code, at + 1)) {
      if (at % 3 === 0) return digits
    }
  }
  return undefined
}
