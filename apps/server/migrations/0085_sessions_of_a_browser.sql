-- Is anybody logged in in the browser that an electronic ID returns to?
create index session_of_browser on session (instance_id, cookie_hash);
