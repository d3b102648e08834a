-- What a step of the collection tells a debtor: queued with the step, and composed when it is sent.

alter table mail_outbox
  -- The step that it tells of. Such a message has no text yet; who gets it is read when it is sent, and kept then.
  add column step_id uuid,
  add foreign key (instance_id, step_id) references collection_step (instance_id, id),
  alter column recipient drop not null,
  alter column language drop not null,
  alter column subject drop not null,
  alter column text_body drop not null,
  drop constraint mail_outbox_channel_check,
  add constraint mail_outbox_channel_check check (channel in ('EMAIL', 'SMS', 'LETTER')),
  drop constraint mail_outbox_status_check,
  -- DROPPED: what it was about was disputed, paused or over before it could be sent.
  add constraint mail_outbox_status_check check (status in ('WAITING', 'SENT', 'DEAD', 'DROPPED')),
  add check (step_id is not null
    or recipient is not null and language is not null and subject is not null and text_body is not null),
  add check (channel <> 'LETTER' or step_id is not null);
grant update (recipient) on mail_outbox to kvitt_app;
