assets! {}
