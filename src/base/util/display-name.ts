/** A name for people: `NginxOperator` is `Nginx Operator`, `HTTPProxy` is `HTTP Proxy`, `my-operator` is `My Operator`, `tlsSecret` is `Tls Secret`. */
export function displayName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[-._\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
