/** The oldest supported Node version for op-sdk, its operators and their tests. A test compares it with `engines` of package.json. */
export const oldestNode = '20.19.0';

/** The oldest supported Node version for messages, without a trailing `.0`. */
export const oldestNodeLine = oldestNode.replace(/\.0$/, '');

/**
 * Returns JavaScript for the beginning of a bundle. If Node is older than {@link oldestNode}, the JavaScript ends the process before any
 * other code runs. Its syntax is valid in Node versions of any age. It exits instead of throwing, because Node prints the source line of a
 * thrown error.
 * @param what subject of the message, such as `this operator`; without quotes
 */
export function nodeVersionCheck(code: string, what: string): string {
  const [major = '', minor = ''] = oldestNode.split('.');
  const message = `error[${code}]: ${what}: expected Node ${oldestNodeLine} or newer, got `;
  return (
    // JavaScript compares a string of digits with a number numerically.
    `{const v=process.versions.node,[a,b]=v.split('.');if(a<${major}||a==${major}&&b<${minor})` +
    `{console.error(${JSON.stringify(message)}+v);process.exit(1)}}`
  );
}
