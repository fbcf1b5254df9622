/** E-mail addresses left on the landing page. */
export const schema = `
create table if not exists leads (
  -- In lower case.
  email text primary key,
  metadata jsonb not null,
  created timestamptz not null
);
`
