/** For payloads larger than the defaults allow. */
export const LIMITS = { maxComponents: 10_000, maxBodyBytes: 4 * 1_048_576 }
