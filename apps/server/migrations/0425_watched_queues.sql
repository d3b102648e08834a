-- outside a transaction: writes go on while the index is made
-- What whoever watches is told each few seconds is found without reading what waits for later, or was counted on another day.
create index concurrently if not exists webhook_delivery_next on webhook_delivery (next_try_at) where status = 'WAITING';
create index concurrently if not exists figure_move_in on figure_move (instance_id, day) where figure = 'IN';
