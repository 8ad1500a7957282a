import type { Client } from './service.js';

/** Creates a user of the role `authenticated`. */
export async function createUser({ service }: Client, username: string, password: string): Promise<void> {
  const user = { username, email: `${username}@example.org`, password, role: 1, confirmed: true };
  const created = await fetch(`${service.url}/api/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${service.token}` },
    body: JSON.stringify(user),
  });
  if (!created.ok) throw new Error(await created.text());
}
