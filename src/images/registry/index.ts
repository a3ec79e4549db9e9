/**
 * The client of OCI registries: images are pushed and pulled over HTTP with nothing but Node. Credentials come from the files
 * and helpers that docker and podman use; they go to the registry and its token server, and nowhere else. In layers: `wire` sends
 * one request, `authorizer` knows what to show, `client` follows redirects and tries again, uploads and downloads stand on it.
 */
export { asksForCredentials } from './asks-for-credentials.ts';
export { loadAuthorities } from './authorities.ts';
export type { RegistryClock, RegistryOptions, RegistryTiming } from './options.ts';
export { checkLogin, eraseLogin, storeLogin } from './login.ts';
export { pullImage } from './pull-image.ts';
export { pushImage } from './push-image.ts';
