-- Messages are e-mails and SMS; paper letters will bring their own columns when they come.

alter table mail_outbox drop column file_id;
alter table mail_outbox drop constraint mail_outbox_channel_check;
alter table mail_outbox add constraint mail_outbox_channel_check check (channel in ('EMAIL', 'SMS'));
