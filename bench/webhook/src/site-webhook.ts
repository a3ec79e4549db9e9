import { defineWebhook, type DeepReadonly, type FieldError } from 'opsdk';
import { Site } from './site.ts';

const repository = /^[a-z0-9]+([._/-][a-z0-9]+)*$/;
const tag = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Does what ../controller-runtime/webhook.go does. */
export const siteWebhook = defineWebhook(Site, {
  default({ spec }) {
    spec.replicas ??= 2;
    spec.logLevel ||= 'info';
    for (const route of spec.routes) {
      route.path ||= '/';
      route.weight ??= 100;
      route.protocol ||= 'HTTP';
    }
  },
  validate: { create: validate, update: validate },
});

function validate({ spec }: DeepReadonly<Site>): readonly FieldError<Site>[] {
  const errors: FieldError<Site>[] = [];
  const invalid = (path: FieldError<Site>['path'], value: unknown, message: string) =>
    errors.push({ path, message, value });
  const duplicate = (path: FieldError<Site>['path'], value: unknown) =>
    errors.push({ path, message: '', value, reason: 'FieldValueDuplicate' });
  if (!repository.test(spec.image.repository))
    invalid('.spec.image.repository', spec.image.repository, 'must be the name of a repository');
  if (!tag.test(spec.image.tag)) invalid('.spec.image.tag', spec.image.tag, 'must be a tag');
  if (spec.replicas !== undefined && (spec.replicas < 1 || spec.replicas > 100))
    invalid('.spec.replicas', spec.replicas, 'must be 1 to 100');
  const names = new Set<string>();
  for (const [index, { name }] of (spec.env ?? []).entries()) {
    if (!variable.test(name)) invalid(`.spec.env[${index}].name`, name, 'must be the name of a variable');
    if (names.has(name)) duplicate(`.spec.env[${index}].name`, name);
    names.add(name);
  }
  const routes = new Set<string>();
  for (const [index, route] of spec.routes.entries()) {
    if (route.host === '' || route.host.length > 253 || route.host.toLowerCase() !== route.host)
      invalid(`.spec.routes[${index}].host`, route.host, 'must be a DNS name in lower case');
    if (route.port < 1 || route.port > 65_535)
      invalid(`.spec.routes[${index}].port`, route.port, 'must be 1 to 65535');
    const url = `${route.host}:${route.port}${route.path ?? ''}`;
    if (routes.has(url)) duplicate(`.spec.routes[${index}]`, url);
    routes.add(url);
  }
  return errors;
}
