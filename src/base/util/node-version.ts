/** The oldest Node that op-sdk, its operators and their tests run on: `engines` of package.json. A test compares them. */
export const oldestNode = '20.19.0';

/** The same for people: the last number does not matter. */
export const oldestNodeLine = oldestNode.replace(/\.0$/, '');

/**
 * JavaScript that ends a program on an older Node, before anything else of it runs: the head of a bundle.
 * Written for Nodes of any age. It ends the process, for an error that is thrown would come with the source line.
 * @param what who needs the newer Node, such as `this operator`; without quotes
 */
export function nodeVersionCheck(code: string, what: string): string {
  const [major = '', minor = ''] = oldestNode.split('.');
  const message = `error[${code}]: ${what}: expected Node ${oldestNodeLine} or newer, got `;
  return (
    // Texts of digits are compared as numbers with a number.
    `{const v=process.versions.node,[a,b]=v.split('.');if(a<${major}||a==${major}&&b<${minor})` +
    `{console.error(${JSON.stringify(message)}+v);process.exit(1)}}`
  );
}
