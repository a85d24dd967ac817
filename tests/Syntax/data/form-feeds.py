x = 1

class A:
    y = 1

    z = 2
      w = 3

x=2
if x:
    pass
    \
  
y
