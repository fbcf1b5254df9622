/** Uploads on their way, and for each video how its bytes came here. */
export const schema = `
create table if not exists uploads (
  -- Becomes the video's id.
  id uuid primary key,
  folder uuid not null,
  player uuid not null,
  name text not null,
  type text not null,
  bytes int not null,
  fingerprint text not null,
  part_bytes int not null,
  -- The object store's id of the multipart upload.
  multipart text not null,
  -- uploading, then checked (the bytes are whole and final), then done (the video is in its folder); sweeping: given up.
  status text not null default 'uploading' check (status in ('uploading', 'checked', 'done', 'sweeping')),
  milliseconds int,
  poster bool not null default false,
  started timestamptz not null,
  touched timestamptz not null
);
-- The video whose place it takes.
alter table uploads add column if not exists replaces uuid;
-- What the browser found inside, with the frame table.
alter table uploads add column if not exists inside jsonb;
-- Where its parts go; absent in rows from before they went to another place than where videos are read.
alter table uploads add column if not exists upload_key text;
create index if not exists uploads_folder on uploads (folder) where status <> 'done';
create index if not exists uploads_touched on uploads (touched) where status <> 'done';
`
