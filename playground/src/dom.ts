/** An element that the page has. */
export const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
