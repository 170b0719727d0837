const NOT_THE_CAUSE = /Build failed|failed to start/

/** The line with the message of an error, in several languages. */
const MESSAGE =
  /(?:Error|Exception)\b.*:|(?:Error|Exception)\)?$|\[ERROR\]|^panic:|^\*\* \(|\b(?:Parse|Fatal) error:/

/** Returns the line with the message of an error in the output of a program. */
export function findHeadline(output: string): string | undefined {
  const line = output.split('\n').find((each) => !NOT_THE_CAUSE.test(each) && MESSAGE.test(each))
  // Node's error code repeats the message after it.
  return line?.replaceAll(/^.*\[ERROR\] (?:service \S+ )?| \[ERR_\w+\]/g, '').trim()
}
