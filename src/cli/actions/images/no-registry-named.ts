import type { Finding } from '../../../base/errors/index.ts';
import type { ImageReference } from '../../../images/index.ts';

/**
 * Refuses to push an image whose name has neither a registry nor an owner: it would go to the hub's own images.
 * @param text the name as it was given
 * @param flag where it was given
 */
export function noRegistryNamed(
  { registry, repository }: ImageReference,
  text: string,
  flag: string,
): Finding | undefined {
  if (registry !== 'docker.io' || !repository.startsWith('library/')) return undefined;
  const name = repository.slice('library/'.length);
  return {
    code: 'oci/no-registry-named',
    message: `${text} does not say to which registry it belongs, so nobody would let you push it`,
    where: { flag },
    fix: [
      `build and push it under a name of yours: registry.example.com/team/${name}:v0.1.0, or docker.io/you/${name}:v0.1.0`,
      'with make, set IMG: make docker-build docker-push IMG=registry.example.com/team/name:v0.1.0',
    ],
  };
}
