/**
 * Returns the image of the operator, in which the program of backups and restores is. `config/manager` puts it into a variable.
 * @throws Error if the operator runs outside of a cluster, without the variable
 */
export function operatorImage(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const image = env['RELATED_IMAGE_OPERATOR'];
  if (image === undefined || image === '')
    throw new Error(
      'the image of backups is unknown: set spec.image of the RedisClusterBackup, or the variable RELATED_IMAGE_OPERATOR of an operator outside of a cluster',
    );
  return image;
}
