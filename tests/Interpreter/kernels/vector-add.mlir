// One block of a vector sum, as Triton's first tutorial has it.
tile.func @add(%x: !tile.ptr<f32> {tile.name = "x_ptr"}, %y: !tile.ptr<f32> {tile.name = "y_ptr"},
               %out: !tile.ptr<f32> {tile.name = "output_ptr"}, %n: si32 {tile.name = "n_elements"}) {
  %pid = tile.program_id x
  %block = tile.constant 1024 : si32
  %start = tile.mul %pid, %block : si32
  %range = tile.make_range 0 to 1024 : !tile.tile<1024xsi32>
  %base = tile.splat %start : si32 -> !tile.tile<1024xsi32>
  %offsets = tile.add %base, %range : !tile.tile<1024xsi32>
  %limit = tile.splat %n : si32 -> !tile.tile<1024xsi32>
  %mask = tile.cmp lt, %offsets, %limit : !tile.tile<1024xsi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !tile.tile<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offsets : !tile.tile<1024x!tile.ptr<f32>>, !tile.tile<1024xsi32>
  %a = tile.load %xp, %mask : !tile.tile<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> !tile.tile<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offsets : !tile.tile<1024x!tile.ptr<f32>>, !tile.tile<1024xsi32>
  %b = tile.load %yp, %mask : !tile.tile<1024x!tile.ptr<f32>>
  %sum = tile.add %a, %b : !tile.tile<1024xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> !tile.tile<1024x!tile.ptr<f32>>
  %op = tile.addptr %os, %offsets : !tile.tile<1024x!tile.ptr<f32>>, !tile.tile<1024xsi32>
  tile.store %op, %sum, %mask : !tile.tile<1024x!tile.ptr<f32>>
  tile.return
}
