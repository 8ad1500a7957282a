/** The part of react-admin that the two data providers use: JSON requests. The real package is a user interface. */
export const fetchUtils = {
  fetchJson: async (url: string, options: RequestInit = {}) => {
    const headers = new Headers(options.headers);
    headers.set('accept', 'application/json');
    if (typeof options.body === 'string' && !headers.has('content-type')) {
      headers.set('content-type', 'application/json');
    }
    const response = await fetch(url, { ...options, headers });
    const json: unknown = await response.json();
    if (!response.ok) throw Object.assign(new Error(response.statusText), { status: response.status, body: json });
    return { status: response.status, headers: response.headers, body: JSON.stringify(json), json };
  },
};

export const [GET_LIST, GET_ONE, GET_MANY_REFERENCE] = ['GET_LIST', 'GET_ONE', 'GET_MANY_REFERENCE'];
export const [CREATE, UPDATE, DELETE] = ['CREATE', 'UPDATE', 'DELETE'];
