/** Arguments with which Node says to a program that it is another version. */
export function pretendedNode(version: string): readonly string[] {
  const versions = `{...process.versions,node:${JSON.stringify(version)}}`;
  return ['--import', `data:text/javascript,Object.defineProperty(process,'versions',{value:${versions}})`];
}
