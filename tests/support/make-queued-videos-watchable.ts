import type { Sql } from 'postgres'

/**
 * Makes each video count as prepared as soon as the server queues it. Without a media worker, videos would wait forever, and feedback cannot
 * be delivered while no video of its session can be watched. A test that is about an unprepared video changes the state of its job.
 */
export const makeQueuedVideosWatchable = (sql: Sql) =>
  sql.unsafe(`
    create function make_queued_video_watchable() returns trigger language plpgsql as $$ begin new.state := 'ready'; return new; end $$;
    create trigger make_queued_videos_watchable before insert on media_work for each row
      when (new.kind = 'rendition' and new.state = 'waiting' and new.player is not null) execute function make_queued_video_watchable()`)
